// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The block size with the most resident threads, as an option of a contract. model/block_size.hpp searches for it; to
/// limit the size, or for shared memory that depends on it, call suggest_block_size() and put its answer into
/// `threads_per_block<...>`.

#pragma once

#include "../hardware/table.hpp"
#include "../model/allocation.hpp"
#include "../model/block_size.hpp"
#include "../model/capacity.hpp"
#include "contract.hpp"
#include "options.hpp"
#include "refusal.hpp"
#include "targets.hpp"

namespace warpguard {

/// Refused: resources of which the architecture has too few for a block of any size.
template <class Architecture, int RegistersPerThread, int SharedMemoryPerBlock, int Barriers>
struct no_block_size_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Architecture*) == 0, "warpguard: no block size fits these resources");
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

/// Stands for the contract in messages about these options.
template <class Architecture, class... Option>
struct block_of;

constexpr bool is_block_resource(option_kind kind) {
  return kind == option_kind::max_registers || kind == option_kind::static_shared_memory ||
         kind == option_kind::dynamic_shared_memory || kind == option_kind::barriers;
}

template <class Architecture, class Option>
constexpr bool check_block_resource() {
  constexpr option_kind kind = value_of<Option>.kind;
  if constexpr (kind != option_kind::none && !is_block_resource(kind)) {
    return !block_resource_guard<Architecture, Option>::holds();
  } else {
    return true;
  }
}

/// Returns the threads of a block, or instantiates a guard and returns any number of threads.
template <class Architecture, class... Option>
constexpr int suggested_block() {
  constexpr int any = 32;
  constexpr int count = sizeof...(Option);
  constexpr option_value const* values[count + 1] = {&value_of<Option>...};
  if constexpr (row_index(capability_of<Architecture>) < 0) {
    return architecture_guard<capability_of<Architecture>>::holds() ? any : any;
  } else if constexpr (!(check_block_resource<Architecture, Option>() && ...)) {
    return any;
  } else if constexpr (!are_options(values, count, true)) {
    return option_refusals<block_of<Architecture, Option...>, option_list<Option...>, true>::holds() ? any : any;
  } else {
    constexpr kernel_resources kernel = resolve(values, count, 0).resources();
    constexpr int threads = suggest_block_size(Architecture::limits(), kernel);
    if constexpr (threads == impossible) {
      constexpr long long bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;
      constexpr int shown_bytes = static_cast<int>(bytes < unlimited ? bytes : unlimited);
      using guard = no_block_size_guard<Architecture, kernel.registers_per_thread, shown_bytes, kernel.barriers>;
      return guard::holds() ? any : any;
    } else {
      return threads;
    }
  }
}

}  // namespace detail

/// The option `threads_per_block<Threads>` with the block size that suggest_block_size() answers on an architecture for
/// a block that takes what the options say: `max_registers`, `static_shared_memory`, `dynamic_shared_memory`,
/// `barriers`. Refused if no block runs. For use in a contract, and for each architecture in `on`:
///
///     struct scan_contract : wg::contract<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<40>>,
///                                         wg::max_registers<40>> {};
template <class Architecture, class... Option>
using suggested_threads_per_block = threads_per_block<detail::suggested_block<Architecture, Option...>()>;

}  // namespace warpguard
