// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The words in which a refusal states its facts. They are types because types are what every compiler prints.

#pragma once

#include <type_traits>

#include "../advice.hpp"
#include "../capacity.hpp"
#include "../occupancy.hpp"

namespace warpguard {

/// What keeps residency from being higher.
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
template <int Bytes>
struct shared_memory_at_most;  ///< per block, static and dynamic together
template <int Bytes>
struct shared_memory_at_least;  ///< per block, static and dynamic together
template <int Barriers>
struct barriers_at_most;  ///< per block
template <int Threads>
struct threads_per_block_of;  ///< this block size would, all else unchanged
template <int Blocks>
struct promise_at_most;  ///< nothing would but to ask for fewer blocks per SM
template <int Blocks>
struct promise_at_least;  ///< nothing would but to allow more blocks per SM
template <class... Change>
struct together;  ///< all of these changes

namespace detail {

/// One fact stays itself; several are wrapped.
template <template <class...> class Several, class... Fact>
struct one_or {
  using type = Several<Fact...>;
};
template <template <class...> class Several, class Fact>
struct one_or<Several, Fact> {
  using type = Fact;
};

template <class... Fact>
struct facts {
  template <bool Holds, class Next>
  using also = std::conditional_t<Holds, facts<Fact..., Next>, facts>;
  template <template <class...> class Several>
  using as = typename one_or<Several, Fact...>::type;
};

template <limiter Set>
using limiter_fact = typename facts<>::template also<contains(Set, limiter::warps), limited_by::warps>::template also<
    contains(Set, limiter::registers), limited_by::registers>::
    template also<contains(Set, limiter::shared_memory), limited_by::shared_memory>::template also<
        contains(Set, limiter::block_slots), limited_by::block_slots>::
        template also<contains(Set, limiter::barriers), limited_by::barriers>::template also<
            contains(Set, limiter::virtual_resources), limited_by::virtual_resources>::template as<limited_by::several>;

/// The advice as a type; every number of it that is not `impossible`.
template <int Registers, int Bytes, int Barriers, int Threads, int Blocks>
using advice_fact = typename facts<>::template also<Registers != impossible, registers_at_most<Registers>>::
    template also<Bytes != impossible, shared_memory_at_most<Bytes>>::template also<
        Barriers != impossible, barriers_at_most<Barriers>>::
        template also<Threads != impossible, threads_per_block_of<Threads>>::template also<
            Blocks != impossible, promise_at_most<Blocks>>::template as<together>;

}  // namespace detail

}  // namespace warpguard
