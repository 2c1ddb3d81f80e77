// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The parts of a shared-memory layout: arrays, their alignments, and how parts share memory.

#pragma once

#include "../hardware/host_device.hpp"

namespace warpguard {

inline constexpr int vector_alignment = 16;      ///< bytes: loads and stores of 16 bytes, cp.async
inline constexpr int bulk_copy_alignment = 128;  ///< bytes: tensor copies (cp.async.bulk.tensor)
inline constexpr int swizzle_alignment =
    1024;  ///< bytes: tiles in the 128-byte swizzle, which repeats every 1024 bytes

/// `Count` elements at a multiple of `Alignment` bytes: 16, or what the elements need if that is more. `Name` is any
/// type, also an incomplete one; `Element` may be an array: `shared_array<a_tile, float[32], 32>`.
template <class Name, class Element, int Count,
          int Alignment = (alignof(Element) > vector_alignment ? static_cast<int>(alignof(Element)) : vector_alignment)>
struct shared_array {
  using name = Name;                   ///< what get() takes
  using element = Element;             ///< the type of an element
  static constexpr int count = Count;  ///< elements
};

/// `Stages` copies of the parts, for a pipeline: `get<Name>(base, stage)`.
template <int Stages, class... Part>
struct staged {};

/// Parts that are used at different times and start at the same address. The kernel synchronizes between them.
template <class... Part>
struct overlay {};

/// Parts that are used at the same time: one part of an `overlay`.
template <class... Part>
struct group {};

}  // namespace warpguard
