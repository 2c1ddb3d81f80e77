// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The arrays of a layout as a list of types. By hand, because files with kernels include no Hana.

#pragma once

#include "../parts.hpp"

namespace warpguard::detail {

template <class... Array>
struct array_list {
  static constexpr int count = sizeof...(Array);
};

/// One list of all arrays: `decltype((array_list<>{} + ... + List{}))`.
template <class... First, class... Second>
WARPGUARD_DETAIL_HOST array_list<First..., Second...> operator+(array_list<First...>, array_list<Second...>);

template <class First, class Second>
inline constexpr bool is_same = false;
template <class Type>
inline constexpr bool is_same<Type, Type> = true;

/// Returns the index of the first array of that name, or -1.
template <class Name, class... Array>
WARPGUARD_DETAIL_HOST constexpr int index_of(array_list<Array...>) {
  bool const same[] = {is_same<Name, typename Array::name>..., true};
  for (int index = 0; index < static_cast<int>(sizeof...(Array)); ++index) {
    if (same[index]) return index;
  }
  return -1;
}

/// Returns how many arrays have the name.
template <class Name, class... Array>
WARPGUARD_DETAIL_HOST constexpr int count_named(array_list<Array...>) {
  return (0 + ... + (is_same<Name, typename Array::name> ? 1 : 0));
}

template <int Index, class List>
struct array_at_index;
template <class First, class... Array>
struct array_at_index<0, array_list<First, Array...>> {
  using type = First;
};
template <int Index, class First, class... Array>
struct array_at_index<Index, array_list<First, Array...>> : array_at_index<Index - 1, array_list<Array...>> {};
template <>
struct array_at_index<0, array_list<>> {
  using type = shared_array<void, char, 1>;
};
template <int Index, class List>
using array_at = typename array_at_index<Index, List>::type;

}  // namespace warpguard::detail
