// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The facts of a refusal as types: what limits, and what would fit. They are types because types are what every
/// compiler prints.

#pragma once

#include "../model/advice.hpp"
#include "../model/capacity.hpp"
#include "../model/occupancy.hpp"

namespace warpguard {

/// The resources that keep residency from being higher.
namespace limited_by {
struct warps;
struct registers;
struct shared_memory;
struct block_slots;
struct barriers;
struct virtual_resources;
template <class... Resource>
struct several;
}  // namespace limited_by

// What would fit.
template <int Registers>
struct registers_at_most;  ///< per thread
template <int Registers>
struct registers_at_least;  ///< per thread: state min_registers
template <int Bytes>
struct shared_memory_at_most;  ///< per block, static and dynamic together
template <int Bytes>
struct shared_memory_at_least;  ///< per block, static and dynamic together
template <int Barriers>
struct barriers_at_most;  ///< per block
template <int Threads>
struct threads_per_block_of;  ///< this block size, if nothing else changes
template <int LeastThreads, int MostThreads>
struct blocks_of_threads;  ///< min_threads_per_block and max_threads_per_block
struct no_block_size;      ///< the promise holds for none
template <int Blocks>
struct promise_at_most;  ///< nothing helps but a promise of fewer blocks per SM
template <int Blocks>
struct promise_at_least;  ///< nothing helps but to allow more blocks per SM
template <class... Change>
struct all_changes;  ///< all of these changes together

namespace detail {

template <class... Fact>
struct refusal_facts {};
template <bool IsPresent, class Fact>
struct fact_if {};

template <class... Fact, class Next>
WARPGUARD_DETAIL_HOST refusal_facts<Fact..., Next> operator+(refusal_facts<Fact...>, fact_if<true, Next>);
template <class... Fact, class Next>
WARPGUARD_DETAIL_HOST refusal_facts<Fact...> operator+(refusal_facts<Fact...>, fact_if<false, Next>);

template <template <class...> class Several, class... Fact>
WARPGUARD_DETAIL_HOST Several<Fact...> one_or_several(refusal_facts<Fact...>);
template <template <class...> class Several, class Fact>
WARPGUARD_DETAIL_HOST Fact one_or_several(refusal_facts<Fact>);

/// The facts that are present: one as itself, several as arguments of `Several`.
template <template <class...> class Several, class... FactIf>
using present_facts = decltype(one_or_several<Several>((refusal_facts<>{} + ... + FactIf{})));

template <limiter Set>
using limiter_fact = present_facts<limited_by::several,  //
                                   fact_if<contains(Set, limiter::warps), limited_by::warps>,
                                   fact_if<contains(Set, limiter::registers), limited_by::registers>,
                                   fact_if<contains(Set, limiter::shared_memory), limited_by::shared_memory>,
                                   fact_if<contains(Set, limiter::block_slots), limited_by::block_slots>,
                                   fact_if<contains(Set, limiter::barriers), limited_by::barriers>,
                                   fact_if<contains(Set, limiter::virtual_resources), limited_by::virtual_resources>>;

/// A change as a type: every number of it that is not `impossible`.
template <int Registers, int LeastRegisters, int MostBytes, int LeastBytes, int Barriers, int Threads, int MostBlocks,
          int LeastBlocks, int LeastThreads, int MostThreads>
using change_fact = present_facts<all_changes,  //
                                  fact_if<Registers != impossible, registers_at_most<Registers>>,
                                  fact_if<LeastRegisters != impossible, registers_at_least<LeastRegisters>>,
                                  fact_if<MostBytes != impossible, shared_memory_at_most<MostBytes>>,
                                  fact_if<LeastBytes != impossible, shared_memory_at_least<LeastBytes>>,
                                  fact_if<Barriers != impossible, barriers_at_most<Barriers>>,
                                  fact_if<Threads != impossible, threads_per_block_of<Threads>>,
                                  fact_if<MostBlocks != impossible, promise_at_most<MostBlocks>>,
                                  fact_if<LeastBlocks != impossible, promise_at_least<LeastBlocks>>,
                                  fact_if<LeastThreads != impossible, blocks_of_threads<LeastThreads, MostThreads>>>;

/// The block sizes that keep a promise; 0 to 0 is none.
template <int LeastThreads, int MostThreads>
struct block_sizes_as_type {
  using type = blocks_of_threads<LeastThreads, MostThreads>;
};
template <>
struct block_sizes_as_type<0, 0> {
  using type = no_block_size;
};
template <int LeastThreads, int MostThreads>
using block_sizes_fact = typename block_sizes_as_type<LeastThreads, MostThreads>::type;

}  // namespace detail

}  // namespace warpguard
