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
#include "guards.hpp"
#include "options.hpp"
#include "refusal.hpp"
#include "targets.hpp"

namespace warpguard {

/// Refused: resources of which the architecture has too few for a block of any size.
template <class Architecture, int RegistersPerThread, int SharedMemoryPerBlock, int Barriers>
struct no_block_size_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(sizeof(Architecture*) == 0, "warpguard: no block size fits these resources [no_block_size]");
    return true;
  }
};

/// Refused: an option that does not say what a block takes.
template <class Architecture, class Option>
struct block_resource_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        sizeof(Option*) == 0,
        "warpguard: a block size is suggested from max_registers, shared memory and barriers alone [block_resource]");
    return true;
  }
};

namespace detail {

/// Stands for the contract in messages about these options.
template <class Architecture, class... Option>
struct block_of;

WARPGUARD_DETAIL_HOST constexpr bool is_block_resource(option_kind kind) {
  return kind == option_kind::max_registers || kind == option_kind::static_shared_memory ||
         kind == option_kind::dynamic_shared_memory || kind == option_kind::barriers;
}
template <class Option>
inline constexpr bool states_block_resource = is_block_resource(value_of<Option>.kind);

template <class... Option>
WARPGUARD_DETAIL_HOST constexpr kernel_resources block_resources() {
  return resolve(values_of<Option...>::values, sizeof...(Option), 0).resources();
}

template <class Architecture, class... Option>
WARPGUARD_DETAIL_HOST constexpr auto find_block_faults() {
  constexpr int compute_capability = capability_of<Architecture>;
  if constexpr (row_index(compute_capability) < 0) {
    return guard_list<architecture_guard<compute_capability>>{};
  } else if constexpr (!(states_block_resource<Option> && ...)) {
    return decltype((guard_list<>{} + ... +
                     guard_if<!states_block_resource<Option>, block_resource_guard<Architecture, Option>>{})){};
  } else if constexpr (!are_options(values_of<Option...>::values, sizeof...(Option), true)) {
    return typename option_faults<block_of<Architecture, Option...>, option_list<Option...>, true>::faults{};
  } else {
    constexpr kernel_resources kernel = block_resources<Option...>();
    constexpr long long bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;
    constexpr int shown_bytes = static_cast<int>(bytes < unlimited ? bytes : unlimited);
    constexpr bool none_fits = suggest_block_size(Architecture::limits(), kernel) == impossible;
    return guard_if<none_fits,
                    no_block_size_guard<Architecture, kernel.registers_per_thread, shown_bytes, kernel.barriers>>{};
  }
}

template <class Architecture, class... Option>
using block_faults = decltype(find_block_faults<Architecture, Option...>());
/// The first of them stands next to the user's line, where it is read first.
template <class Architecture, class... Option>
using first_block_fault = first_guard<block_faults<Architecture, Option...>>;

/// The threads of a block. After a refusal any number will do.
template <class Faults, class Architecture, class... Option>
inline constexpr int suggested_block = 32;
template <class... Guard, class Architecture, class... Option>
inline constexpr int suggested_block<guard_list<Guard...>, Architecture, Option...> = (... && Guard::holds()) ? 32 : 32;
template <class Architecture, class... Option>
inline constexpr int suggested_block<guard_list<>, Architecture, Option...> =
    suggest_block_size(Architecture::limits(), block_resources<Option...>());

}  // namespace detail

/// The option `threads_per_block<Threads>` with the block size that suggest_block_size() answers on an architecture for
/// a block that takes what the options say: `max_registers`, `static_shared_memory`, `dynamic_shared_memory`,
/// `barriers`. Refused if no block runs. For use in a contract, and for each architecture in `on`:
///
///     struct scan_contract : wg::contract<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<40>>,
///                                         wg::max_registers<40>> {};
template <class Architecture, class... Option>
using suggested_threads_per_block = threads_per_block<
    detail::first_block_fault<Architecture, Option...>::holds()
        ? detail::suggested_block<detail::block_faults<Architecture, Option...>, Architecture, Option...>
        : 0>;

}  // namespace warpguard
