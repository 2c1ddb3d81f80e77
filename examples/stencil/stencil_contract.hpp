// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of stencil. Its tile in dynamic shared memory is as long as each GPU allows with 4 blocks on an SM,
/// because longer tiles load fewer halo elements.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int stencil_radius = 8;
inline constexpr int stencil_block_threads = 256;
struct tile_with_halo;
template <int Tile>
using stencil_layout = wg::shared_layout<wg::shared_array<tile_with_halo, float, Tile + 2 * stencil_radius>>;

template <class Architecture>
inline constexpr int stencil_tile_on =
    wg::max_tile<Architecture, stencil_layout, 4, 1024, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 14336>;
template <class Architecture>
using stencil_memory_on = wg::dynamic_shared_memory_of<stencil_layout<stencil_tile_on<Architecture>>>;
static_assert(stencil_tile_on<wg::sm<75>> == 3072);
static_assert(stencil_tile_on<wg::sm<86>> == 4096);
static_assert(stencil_tile_on<wg::sm<90>> == 12288);

struct stencil_contract : wg::contract<wg::threads_per_block<stencil_block_threads>, wg::max_registers<64>,
                                       wg::min_blocks_per_sm<4>, wg::on_each<stencil_memory_on>> {};
