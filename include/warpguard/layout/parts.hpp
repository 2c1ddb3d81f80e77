// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The words of a shared-memory layout: arrays, their alignments, and how parts stand to each other. What they mean is
/// in placement.hpp, what is refused in layout_rules.hpp.

#pragma once

namespace warpguard {

inline constexpr int vector_alignment = 16;      ///< bytes: loads and stores of 16 bytes, cp.async
inline constexpr int bulk_copy_alignment = 128;  ///< bytes: tensor copies (cp.async.bulk.tensor)
inline constexpr int swizzle_alignment = 1024;   ///< bytes: tiles in the 128-byte swizzle, which repeats so often

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

}  // namespace warpguard
