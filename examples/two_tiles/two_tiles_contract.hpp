// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of two_tiles, c = a * b in square tiles as large as each GPU allows.
///
/// One `extern __shared__` array is split into a tile of a and a tile of b. With a larger tile, a and b are read less
/// often. The largest tile that leaves room for two blocks is 64 with the 64 KiB of compute capability 7.5 and the 100
/// KiB of 8.6, 96 with the 164 KiB of 8.0, and 112 with the 228 KiB of 9.0. The contract requires the two blocks.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct tile_of_a;
struct tile_of_b;

template <int Tile>
using two_tiles_layout =
    wg::shared_layout<wg::shared_array<tile_of_a, float[Tile], Tile>, wg::shared_array<tile_of_b, float[Tile], Tile>>;

inline constexpr int two_tiles_edge = 16;  // threads along one edge of a block
inline constexpr int two_tiles_blocks = 2;

/// The edge of the tile on one architecture, a multiple of the edge of the block.
template <class Architecture>
inline constexpr int two_tiles_edge_on =
    wg::max_tile<Architecture, two_tiles_layout, two_tiles_blocks, 16, 32, 48, 64, 80, 96, 112, 128>;

template <class Architecture>
using two_tiles_memory_on = wg::dynamic_shared_memory_of<two_tiles_layout<two_tiles_edge_on<Architecture>>>;

struct two_tiles_contract : wg::contract<wg::threads_per_block<two_tiles_edge, two_tiles_edge>,
                                         wg::min_blocks_per_sm<two_tiles_blocks>, wg::on_each<two_tiles_memory_on>> {};

static_assert(two_tiles_edge_on<wg::sm<75>> == 64);
static_assert(two_tiles_edge_on<wg::sm<80>> == 96);
static_assert(two_tiles_edge_on<wg::sm<86>> == 64);
static_assert(two_tiles_edge_on<wg::sm<89>> == 64);
static_assert(two_tiles_edge_on<wg::sm<90>> == 112);
static_assert(two_tiles_edge_on<wg::sm<100>> == 112);
static_assert(two_tiles_edge_on<wg::sm<120>> == 64);
