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

// What the runtime suggests for a kernel with 8 registers.
static_assert(wg::suggest_block_size(wg::sm_80, {0, 8}) == scale_contract::on_sm<wg::sm<80>>::threads_per_block);
static_assert(wg::suggest_block_size(wg::sm_86, {0, 8}) == scale_contract::on_sm<wg::sm<86>>::threads_per_block);

// The blocks with which before/scale.cu computes its grid on 8.0, for a kernel with 32 registers, and those that are
// resident.
static_assert(wg::occupancy_of(wg::sm_80, {256, 32}).blocks_per_sm == 8);
static_assert(wg::occupancy_of(wg::sm_80, {256, 32, 0, tile_size * 4}).blocks_per_sm == 4);
