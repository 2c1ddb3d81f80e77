// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The words of the refusals of shared-memory layouts; contract/guards.hpp says how guards work.

#pragma once

#include "../contract/guard_list.hpp"

namespace warpguard {

/// Refused: a type that is not a layout, where a layout is needed.
template <class Type>
struct layout_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::always_false<Type>,
        "warpguard: this type is not a shared_layout: for a struct use static_shared_memory<sizeof(T)> [layout]");
    return true;
  }
};

/// Refused: `shared_layout<>`.
template <class Layout>
struct empty_layout_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Layout>,
                  "warpguard: a shared-memory layout has at least one array [empty_layout]");
    return true;
  }
};

/// Refused: an array of no elements.
template <class Name, int Count>
struct array_size_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(Count >= 1, "warpguard: an array of a shared-memory layout has at least one element [array_size]");
    return true;
  }
};

/// Refused: an alignment that is not a power of two, or less than the elements need.
template <class Name, int Alignment, int AlignmentNeeded>
struct array_alignment_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        Alignment >= AlignmentNeeded && (Alignment & (Alignment - 1)) == 0,
        "warpguard: the alignment of an array is a power of two, and at least that of its elements [array_alignment]");
    return true;
  }
};

/// Refused: a pipeline of no stages.
template <int Stages>
struct stages_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(Stages >= 1, "warpguard: staged<> takes one stage or more [stages]");
    return true;
  }
};

/// Refused: stages inside stages.
template <class Part>
struct nested_stages_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Part>, "warpguard: there is no staged<> inside a staged<> [nested_stages]");
    return true;
  }
};

/// Refused: a type that is not a part of a layout.
template <class Part>
struct layout_part_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::always_false<Part>,
        "warpguard: a shared-memory layout consists of shared_array, staged, overlay and group [layout_part]");
    return true;
  }
};

/// Refused: two arrays of one name.
template <class Layout, class Name>
struct duplicate_array_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Name>,
                  "warpguard: a shared-memory layout has two arrays of one name [duplicate_array]");
    return true;
  }
};

/// Refused: more bytes than a block has on any architecture.
template <class Layout, long long BytesWanted, int BytesAllowed>
struct layout_size_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(BytesWanted <= BytesAllowed,
                  "warpguard: no architecture has blocks of so much shared memory [layout_size]");
    return true;
  }
};

/// Refused: a name that the layout lacks.
template <class Layout, class Name>
struct unknown_array_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Name>,
                  "warpguard: the shared-memory layout has no array of this name [unknown_array]");
    return true;
  }
};

/// Refused: a constant stage that the array does not have.
template <class Layout, class Name, int Stage, int Stages>
struct stage_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(Stage >= 0 && Stage < Stages, "warpguard: the array has no stage of this number [stage]");
    return true;
  }
};

/// Refused: `get` with a stage, for an array outside of `staged`.
template <class Layout, class Name>
struct unstaged_array_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Name>,
                  "warpguard: the array has no stages: call get<Name>(base) [unstaged_array]");
    return true;
  }
};

/// Refused: max_tile without tiles.
template <class Architecture>
struct no_tiles_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Architecture>, "warpguard: max_tile needs tiles to choose from [no_tiles]");
    return true;
  }
};

/// Refused: max_tile for no block.
template <int BlocksWanted>
struct tile_blocks_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(BlocksWanted >= 1, "warpguard: max_tile takes one block per SM or more [tile_blocks]");
    return true;
  }
};

/// Refused: a list of tiles of which none leaves room for the wanted blocks.
template <class Architecture, int BlocksWanted, int SmallestBytes, int BytesAllowed>
struct tile_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(SmallestBytes <= BytesAllowed,
                  "warpguard: not even the smallest tile leaves room for these blocks [tile]");
    return true;
  }
};

}  // namespace warpguard
