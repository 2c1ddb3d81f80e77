// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The arrays of a layout as a list of types, and finding one by its name.

#pragma once

#include <type_traits>

#include "../parts.hpp"

namespace warpguard::detail {

template <class... Array>
struct array_list {};

template <class... Array>
constexpr int count_of(array_list<Array...>) {
  return sizeof...(Array);
}

template <class... List>
struct join {
  using type = array_list<>;
};
template <class... A, class... Rest>
struct join<array_list<A...>, Rest...> : join<array_list<A...>, array_list<>, Rest...> {};
template <class... A>
struct join<array_list<A...>> {
  using type = array_list<A...>;
};
template <class... A, class... B, class... Rest>
struct join<array_list<A...>, array_list<B...>, Rest...> : join<array_list<A..., B...>, Rest...> {};

/// Where the list has an array of that name, or -1.
template <class Name, class... Array>
constexpr int index_of(array_list<Array...>) {
  bool const same[] = {std::is_same_v<Name, typename Array::name>..., true};
  for (int i = 0; i < static_cast<int>(sizeof...(Array)); ++i) {
    if (same[i]) return i;
  }
  return -1;
}

template <int Index, class List>
struct array_at_impl;
template <class First, class... Array>
struct array_at_impl<0, array_list<First, Array...>> {
  using type = First;
};
template <int Index, class First, class... Array>
struct array_at_impl<Index, array_list<First, Array...>> : array_at_impl<Index - 1, array_list<Array...>> {};
template <>
struct array_at_impl<0, array_list<>> {
  using type = shared_array<void, char, 1>;
};
template <int Index, class List>
using array_at = typename array_at_impl<Index, List>::type;

/// How many arrays have the name.
template <class Name, class... Array>
constexpr int count_named(array_list<Array...>) {
  return (0 + ... + (std::is_same_v<Name, typename Array::name> ? 1 : 0));
}

}  // namespace warpguard::detail
