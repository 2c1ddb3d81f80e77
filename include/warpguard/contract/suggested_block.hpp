// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The block size with the most resident threads as an option of a contract. The search is block_size.hpp's; with a
/// limit on the size, or shared memory that depends on it, call suggest_block_size() and put its answer into
/// `threads_per_block<...>`.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/block_size.hpp"
#include "../model/capacity.hpp"
#include "contract.hpp"
#include "option_rules.hpp"
#include "targets.hpp"

namespace warpguard {

/// Refused: resources of which the architecture has too few for a block of any size.
template <class Architecture, int RegistersPerThread, int SharedMemoryPerBlock, int Barriers>
struct no_block_size_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Architecture*) == 0, "warpguard: a block that takes so much runs at no block size");
    return true;
  }
};

/// Refused: an option that does not say what a block takes.
template <class Architecture, class Option>
struct block_resource_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0,
                  "warpguard: a block size is suggested from max_registers, shared memory and barriers alone");
    return true;
  }
};

namespace detail {

/// In messages about options: what they were given to.
template <class Architecture, class... Option>
struct block_of;

constexpr bool says_what_a_block_takes(option_kind kind) {
  return kind == option_kind::registers || kind == option_kind::static_shared_memory ||
         kind == option_kind::dynamic_shared_memory || kind == option_kind::barriers;
}

template <class Architecture, class Option>
constexpr bool check_block_resource() {
  constexpr option_kind kind = said_by<Option>().kind;
  if constexpr (kind != option_kind::unknown && !says_what_a_block_takes(kind)) {
    return !block_resource_guard<Architecture, Option>::holds();
  } else {
    return true;
  }
}

/// Threads, or a refusal; once refused, any block will do.
template <class Architecture, class... Option>
constexpr int suggested_block() {
  constexpr int any = 32;
  constexpr int count = sizeof...(Option);
  constexpr stated said[count + 1] = {said_by<Option>()...};
  if constexpr (row_index(capability_of<Architecture>) < 0) {
    return architecture_guard<capability_of<Architecture>>::holds() ? any : any;
  } else if constexpr (!(check_block_resource<Architecture, Option>() && ...)) {
    return any;
  } else if constexpr (!are_options(said, count, true)) {
    return refuse_options<block_of<Architecture, Option...>, true, Option...>() ? any : any;
  } else {
    constexpr kernel_resources kernel = read_terms(said, count, 0).resources();
    constexpr int threads = suggest_block_size(Architecture::limits(), kernel);
    if constexpr (threads == impossible) {
      constexpr long long bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;
      return no_block_size_guard<Architecture, kernel.registers_per_thread,
                                 static_cast<int>(bytes < unlimited ? bytes : unlimited), kernel.barriers>::holds()
                 ? any
                 : any;
    } else {
      return threads;
    }
  }
}

}  // namespace detail

/// The option `threads_per_block<N>` with the N that suggest_block_size() answers on an architecture for a block that
/// takes what the options say: `max_registers`, `static_shared_memory`, `dynamic_shared_memory`, `barriers`. Refused
/// where no block runs. For use in a contract, and for each architecture in `on`:
///
///     struct scan_contract : wg::contract<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<40>>,
///                                         wg::max_registers<40>> {};
template <class Architecture, class... Option>
using suggested_threads_per_block = threads_per_block<detail::suggested_block<Architecture, Option...>()>;

}  // namespace warpguard
