// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The parts of a shared-memory layout, what is refused in them, and where each array goes.

#pragma once

#include <boost/hana/tuple.hpp>
#include <type_traits>

#include "../architecture.hpp"
#include "../occupancy.hpp"
#include "arithmetic.hpp"

namespace warpguard {

inline constexpr int vector_alignment = 16;      ///< bytes: loads and stores of 16 bytes, cp.async
inline constexpr int bulk_copy_alignment = 128;  ///< bytes: tensor copies (cp.async.bulk.tensor)
inline constexpr int swizzle_alignment = 1024;   ///< bytes: tiles in the 128-byte swizzle, which repeats so often

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

/// `Count` elements, at a multiple of `Alignment` bytes: 16 by default, or what the elements need if that is more.
/// `Name` is any type, which need not be complete; `Element` may be an array: `shared_array<a, float[32], 32>`.
template <class Name, class Element, int Count,
          int Alignment = (alignof(Element) > vector_alignment ? static_cast<int>(alignof(Element)) : vector_alignment)>
struct shared_array {
  using name = Name;
  using element = Element;
  static constexpr int count = Count;
};

/// `Stages` copies of the parts, for a pipeline: `get<Name>(base, stage)`.
template <int Stages, class... Part>
struct staged {};

/// Parts that live at different times and start at the same address. The kernel synchronizes between them.
template <class... Part>
struct overlay {};

/// Parts that live at the same time: one part of an `overlay`.
template <class... Part>
struct together {};

namespace detail {

struct placed {
  int offset = 0;
  int bytes = 0;
  int alignment = 1;
  int stages = 1;
  int stride = 0;
};

template <int Count>
struct placement {
  placed arrays[Count + 1] = {};
  long long bytes = 0;
  int alignment = 1;
};

/// Sizes are limited afterwards; until then nothing may overflow.
constexpr int as_int(long long value) { return static_cast<int>(min_of<long long>(value, unlimited)); }

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

/// Puts `part` at `start`, as the next arrays of `all`.
template <int Count, int PartCount>
constexpr void put(placement<Count>& all, int& next, placement<PartCount> const& part, long long start) {
  start = round_up<long long>(start, part.alignment);
  for (int i = 0; i < PartCount; ++i) {
    all.arrays[next] = part.arrays[i];
    all.arrays[next].offset = as_int(start + part.arrays[i].offset);
    ++next;
  }
  if (start + part.bytes > all.bytes) all.bytes = start + part.bytes;
  if (part.alignment > all.alignment) all.alignment = part.alignment;
}

template <class Part>
struct part {
  using arrays = array_list<>;
  static constexpr bool is_staged = false;
  static constexpr placement<0> place() {
    layout_part_guard<Part>::holds();
    return {};
  }
};

template <class Name, class Element, int Count, int Alignment>
struct part<shared_array<Name, Element, Count, Alignment>> {
  using arrays = array_list<shared_array<Name, Element, Count, Alignment>>;
  static constexpr bool is_staged = false;
  static constexpr placement<1> place() {
    array_size_guard<Name, Count>::holds();
    array_alignment_guard<Name, Alignment, static_cast<int>(alignof(Element))>::holds();
    // What has been refused counts as something harmless.
    constexpr bool is_aligned = Alignment > 0 && (Alignment & (Alignment - 1)) == 0;
    placement<1> result;
    result.alignment = is_aligned ? Alignment : 1;
    result.bytes = static_cast<long long>(sizeof(Element)) * (Count > 0 ? Count : 1);
    result.arrays[0] = {0, as_int(result.bytes), result.alignment, 1, 0};
    return result;
  }
};

template <class... Part>
struct part<together<Part...>> {
  using arrays = typename join<typename part<Part>::arrays...>::type;
  static constexpr bool is_staged = (part<Part>::is_staged || ...);
  static constexpr auto place() {
    placement<count_of(arrays{})> result;
    int next = 0;
    (put(result, next, part<Part>::place(), result.bytes), ...);
    static_cast<void>(next);
    return result;
  }
};

template <class... Part>
struct part<overlay<Part...>> {
  using arrays = typename join<typename part<Part>::arrays...>::type;
  static constexpr bool is_staged = (part<Part>::is_staged || ...);
  static constexpr auto place() {
    placement<count_of(arrays{})> result;
    int next = 0;
    (put(result, next, part<Part>::place(), 0), ...);
    static_cast<void>(next);
    return result;
  }
};

template <int Stages, class... Part>
struct part<staged<Stages, Part...>> {
  using one_stage = part<together<Part...>>;
  using arrays = typename one_stage::arrays;
  static constexpr bool is_staged = true;
  static constexpr auto place() {
    stages_guard<Stages>::holds();
    if constexpr (one_stage::is_staged) nested_stages_guard<staged<Stages, Part...>>::holds();
    auto result = one_stage::place();
    long long const stride = round_up<long long>(result.bytes, result.alignment);
    for (int i = 0; i < count_of(arrays{}); ++i) {
      result.arrays[i].stages = Stages;
      result.arrays[i].stride = as_int(stride);
    }
    // No block has so much, and a larger number of stages must not overflow.
    if (Stages > 1) result.bytes += min_of<long long>(stride, unlimited) * (Stages - 1);
    return result;
  }
};

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

template <class Layout, class... Array>
constexpr auto describe(array_list<Array...>) {
  return boost::hana::tuple<typename Layout::template array<typename Array::name>...>{};
}

}  // namespace detail

}  // namespace warpguard
