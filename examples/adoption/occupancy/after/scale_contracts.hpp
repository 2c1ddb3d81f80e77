// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: the contracts of scale(), with the block size that the runtime would suggest, and of reverse_tiles().

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

constexpr int tile_size = 8192;

/// What cudaOccupancyMaxPotentialBlockSize answers for a kernel with 32 registers.
template <class Architecture>
using best_block_on = wg::suggested_threads_per_block<Architecture, wg::max_registers<32>>;

struct scale_contract : wg::contract<wg::on_each<best_block_on>, wg::max_registers<32>, wg::min_occupancy<100>> {};

struct reverse_tiles_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<tile_size * sizeof(float)>,
                   wg::max_registers<64>, wg::min_blocks_per_sm<2>> {};

// What before/scale.cu computes its grid with on 8.0, for a kernel with 32 registers, and what is resident.
static_assert(wg::occupancy_of(wg::sm_80, {256, 32}).blocks_per_sm == 8);
static_assert(wg::occupancy_of(wg::sm_80, {256, 32, 0, static_cast<int>(tile_size * sizeof(float))}).blocks_per_sm ==
              4);
