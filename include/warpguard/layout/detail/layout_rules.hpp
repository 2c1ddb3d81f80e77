// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What is refused in a shared-memory layout, whatever the architecture: the guards that say why, and the rules about a
/// layout as a whole. Those about one part are asked where placement.hpp places it.

#pragma once

#include "../../hardware/architecture.hpp"
#include "array_list.hpp"

namespace warpguard {

/// Refused: an array of no elements.
template <class Name, int Count>
struct array_size_guard {
  static constexpr bool holds() {
    static_assert(Count >= 1, "warpguard: an array of a shared-memory layout has at least one element");
    return true;
  }
};

/// Refused: an alignment that is none, or less than the elements need.
template <class Name, int Alignment, int AlignmentNeeded>
struct array_alignment_guard {
  static constexpr bool holds() {
    static_assert(Alignment >= AlignmentNeeded && (Alignment & (Alignment - 1)) == 0,
                  "warpguard: the alignment of an array is a power of two, and at least that of its elements");
    return true;
  }
};

/// Refused: a pipeline of no stages.
template <int Stages>
struct stages_guard {
  static constexpr bool holds() {
    static_assert(Stages >= 1, "warpguard: staged<> takes one stage or more");
    return true;
  }
};

/// Refused: stages inside stages.
template <class Part>
struct nested_stages_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Part*) == 0, "warpguard: there is no staged<> inside a staged<>");
    return true;
  }
};

/// Refused: something that is no part of a layout.
template <class Part>
struct layout_part_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Part*) == 0,
                  "warpguard: a shared-memory layout consists of shared_array, staged, overlay and together");
    return true;
  }
};

/// Refused: two arrays of one name.
template <class Layout, class Name>
struct duplicate_array_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Name*) == 0, "warpguard: a shared-memory layout has two arrays of one name");
    return true;
  }
};

/// Refused: more bytes than a block has on any architecture.
template <class Layout, long long BytesWanted, int BytesAllowed>
struct layout_size_guard {
  static constexpr bool holds() {
    static_assert(BytesWanted <= BytesAllowed, "warpguard: no architecture has blocks of so much shared memory");
    return true;
  }
};

namespace detail {

template <class Layout, class Name, bool Twice>
constexpr bool refuse_if_twice() {
  if constexpr (Twice) duplicate_array_guard<Layout, Name>::holds();
  return true;
}

constexpr int most_shared_memory_of_a_block() {
  int most = 0;
  for (architecture const* row : architectures) {
    if (row->max_shared_per_block_optin > most) most = row->max_shared_per_block_optin;
  }
  return most;
}

/// True, or a refusal.
template <class Layout, long long Bytes, class... Array>
constexpr bool check_layout_of(array_list<Array...>) {
  layout_size_guard<Layout, Bytes, most_shared_memory_of_a_block()>::holds();
  (refuse_if_twice<Layout, typename Array::name, (count_named<typename Array::name>(array_list<Array...>{}) > 1)>(),
   ...);
  return true;
}

}  // namespace detail

}  // namespace warpguard
