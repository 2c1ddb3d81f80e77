// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contracts of tiled_matmul, c = a * b in square tiles, one with static and one with dynamic shared memory.
///
/// A block always has 16 x 16 threads, each of which computes (Tile / 16)^2 elements, so the tile changes the shared
/// memory and the registers, but not the block. The contracts require 6 blocks: the 1536 threads of compute capability
/// 8.6, 8.9 and 12.0, and 75 % of the 2048 threads of 8.0, 9.0 and 10.0. The 65536 registers of the SM are 42 for each
/// of 1536 threads; they are allocated in multiples of 8, which makes 40. An SM of 7.5 holds only 1024 threads: 4
/// blocks, which may use 64 registers per thread.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

/// Threads along one edge of a block.
inline constexpr int matmul_block_edge = 16;

/// The shared memory of a block. The kernels use it, and the contracts use its size.
template <int Tile>
struct matmul_tiles {
  static_assert(Tile > 0 && Tile % matmul_block_edge == 0, "the tile must be a multiple of the block");
  float a[Tile][Tile];
  float b[Tile][Tile];
};

template <int Tile>
struct tiled_matmul_contract
    : wg::contract<wg::threads_per_block<matmul_block_edge, matmul_block_edge>, wg::max_registers<40>,
                   wg::static_shared_memory<sizeof(matmul_tiles<Tile>)>, wg::min_blocks_per_sm<6>,
                   wg::on<wg::sm<75>, wg::max_registers<64>, wg::min_blocks_per_sm<4>>> {};

template <int Tile>
struct tiled_matmul_dynamic_contract
    : wg::contract<wg::threads_per_block<matmul_block_edge, matmul_block_edge>, wg::max_registers<40>,
                   wg::dynamic_shared_memory<sizeof(matmul_tiles<Tile>)>, wg::min_blocks_per_sm<6>,
                   wg::on<wg::sm<75>, wg::max_registers<64>, wg::min_blocks_per_sm<4>>> {};
