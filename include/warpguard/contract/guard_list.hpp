// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Guards as a list, so that what is wrong is found first and asserted later, right at the user's line.

#pragma once

#include "../hardware/host_device.hpp"

namespace warpguard::detail {

/// For assertions that fail wherever they are instantiated.
template <class...>
inline constexpr bool always_false = false;

/// Nothing is refused.
struct no_refusal {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() { return true; }
};

/// Guards of everything that is wrong with something; empty if nothing is. Making a list instantiates no assertion.
template <class... Guard>
struct guard_list {
  static constexpr int count = sizeof...(Guard);
};
template <class... First, class... Second>
WARPGUARD_DETAIL_HOST guard_list<First..., Second...> operator+(guard_list<First...>, guard_list<Second...>);

template <int Index, class List>
struct guard_at_index;
template <class First, class... Guard>
struct guard_at_index<0, guard_list<First, Guard...>> {
  using type = First;
};
template <int Index, class First, class... Guard>
struct guard_at_index<Index, guard_list<First, Guard...>> : guard_at_index<Index - 1, guard_list<Guard...>> {};
template <int Index, class List>
using guard_at = typename guard_at_index<Index, List>::type;

template <class List>
struct first_guard_of {
  using type = guard_at<0, List>;
};
template <>
struct first_guard_of<guard_list<>> {
  using type = no_refusal;
};
/// The first guard, or one that holds if there is none.
template <class List>
using first_guard = typename first_guard_of<List>::type;

template <bool IsRefused, class Guard>
struct guard_unless_kept {
  using type = guard_list<Guard>;
};
template <class Guard>
struct guard_unless_kept<false, Guard> {
  using type = guard_list<>;
};
/// The guard if its rule is broken, otherwise nothing.
template <bool IsRefused, class Guard>
using guard_if = typename guard_unless_kept<IsRefused, Guard>::type;

}  // namespace warpguard::detail
