// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Computes where each array of a layout begins.

#pragma once

#include "../../contract/guard_list.hpp"
#include "../../hardware/arithmetic.hpp"
#include "../../model/allocation.hpp"
#include "../guards.hpp"
#include "../parts.hpp"
#include "array_list.hpp"

namespace warpguard::detail {

struct array_offsets {
  int offset = 0;  ///< bytes
  int bytes = 0;   ///< of one stage
  int alignment = 1;
  int stages = 1;
  int bytes_to_next_stage = 0;
};

template <int Count>
struct layout_offsets {
  array_offsets arrays[static_cast<unsigned>(Count) + 1] = {};
  long long bytes = 0;
  int alignment = 1;
};

/// Saturates, because sizes are checked afterwards and nothing may overflow before.
WARPGUARD_DETAIL_HOST constexpr int as_int(long long value) {
  return static_cast<int>(min_of<long long>(value, unlimited));
}

/// Places `part` at `start` or the next multiple of its alignment, as the arrays from `next` on of `layout`.
template <int Count, int PartCount>
WARPGUARD_DETAIL_HOST constexpr void append(layout_offsets<Count>& layout, int& next,
                                            layout_offsets<PartCount> const& part, long long start) {
  start = round_up<long long>(start, part.alignment);
  for (int index = 0; index < PartCount; ++index) {
    layout.arrays[next] = part.arrays[index];
    layout.arrays[next].offset = as_int(start + part.arrays[index].offset);
    ++next;
  }
  if (start + part.bytes > layout.bytes) layout.bytes = start + part.bytes;
  if (part.alignment > layout.alignment) layout.alignment = part.alignment;
}

WARPGUARD_DETAIL_HOST constexpr bool is_power_of_two(int value) { return value > 0 && (value & (value - 1)) == 0; }

/// What a part consists of, what is wrong with it, and offsets() within it. Offsets exist whatever is wrong: after a
/// refusal any valid number will do.
template <class Part>
struct part_of {
  using arrays = array_list<>;
  using faults = guard_list<layout_part_guard<Part>>;
  static constexpr bool is_staged = false;
  WARPGUARD_DETAIL_HOST static constexpr layout_offsets<0> offsets() { return {}; }
};

template <class Name, class Element, int Count, int Alignment>
struct part_of<shared_array<Name, Element, Count, Alignment>> {
  static constexpr int alignment_needed = alignof(Element);
  using arrays = array_list<shared_array<Name, Element, Count, Alignment>>;
  using faults = decltype(guard_if<(Count < 1), array_size_guard<Name, Count>>{} +
                          guard_if<(Alignment < alignment_needed || !is_power_of_two(Alignment)),
                                   array_alignment_guard<Name, Alignment, alignment_needed>>{});
  static constexpr bool is_staged = false;
  WARPGUARD_DETAIL_HOST static constexpr layout_offsets<1> offsets() {
    layout_offsets<1> result;
    result.alignment = is_power_of_two(Alignment) ? Alignment : 1;
    result.bytes = static_cast<long long>(sizeof(Element)) * (Count > 0 ? Count : 1);
    result.arrays[0] = {0, as_int(result.bytes), result.alignment, 1, 0};
    return result;
  }
};

template <class... Part>
struct part_of<group<Part...>> {
  using arrays = decltype((array_list<>{} + ... + typename part_of<Part>::arrays{}));
  using faults = decltype((guard_list<>{} + ... + typename part_of<Part>::faults{}));
  static constexpr bool is_staged = (part_of<Part>::is_staged || ...);
  WARPGUARD_DETAIL_HOST static constexpr auto offsets() {
    layout_offsets<arrays::count> result;
    int next = 0;
    (append(result, next, part_of<Part>::offsets(), result.bytes), ...);
    static_cast<void>(next);
    return result;
  }
};

template <class... Part>
struct part_of<overlay<Part...>> {
  using arrays = decltype((array_list<>{} + ... + typename part_of<Part>::arrays{}));
  using faults = decltype((guard_list<>{} + ... + typename part_of<Part>::faults{}));
  static constexpr bool is_staged = (part_of<Part>::is_staged || ...);
  WARPGUARD_DETAIL_HOST static constexpr auto offsets() {
    layout_offsets<arrays::count> result;
    int next = 0;
    (append(result, next, part_of<Part>::offsets(), 0), ...);
    static_cast<void>(next);
    return result;
  }
};

template <int Stages, class... Part>
struct part_of<staged<Stages, Part...>> {
  using one_stage = part_of<group<Part...>>;
  using arrays = typename one_stage::arrays;
  using faults = decltype(guard_if<(Stages < 1), stages_guard<Stages>>{} +
                          guard_if<one_stage::is_staged, nested_stages_guard<staged<Stages, Part...>>>{} +
                          typename one_stage::faults{});
  static constexpr bool is_staged = true;
  WARPGUARD_DETAIL_HOST static constexpr auto offsets() {
    auto result = one_stage::offsets();
    long long const stage = round_up<long long>(result.bytes, result.alignment);
    for (int index = 0; index < arrays::count; ++index) {
      result.arrays[index].stages = Stages;
      result.arrays[index].bytes_to_next_stage = as_int(stage);
    }
    // The smaller factor, so that no number of stages overflows; the size is refused afterwards.
    if (Stages > 1) result.bytes += min_of<long long>(stage, unlimited) * (Stages - 1);
    return result;
  }
};

}  // namespace warpguard::detail
