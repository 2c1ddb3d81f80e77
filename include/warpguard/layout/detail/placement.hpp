// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Where each array of a layout goes: offsets and sizes, over values.

#pragma once

#include "../../model/occupancy.hpp"
#include "../../hardware/arithmetic.hpp"
#include "array_list.hpp"
#include "../parts.hpp"
#include "layout_rules.hpp"

namespace warpguard::detail {

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

}  // namespace warpguard::detail
