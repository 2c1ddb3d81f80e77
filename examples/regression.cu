// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// tiled_matmul after a change that does not compile, on purpose: somebody grew the tile from 32 to 48. Its two tiles
/// take 18 KiB of shared memory, and the promised blocks still fit the SM of compute capability 8.0, 9.0 and 10.0, on
/// which it was tried. On 8.6, 8.9 and 12.0 a sixth block no longer does, nor a fourth on 7.5; nothing but the contract
/// would say so.

#include "tiled_matmul_contract.hpp"

#ifndef WARPGUARD_REGRESSION_TILE
#define WARPGUARD_REGRESSION_TILE 48
#endif
inline constexpr int tile = WARPGUARD_REGRESSION_TILE;

#ifdef __CUDACC__
#include "tiled_matmul.cuh"
// WARPGUARD_LAUNCH_BOUNDS checks the contract of the kernel that it bounds.
template __global__ void tiled_matmul<tile>(int m, int n, int k, float const* a, float const* b, float* c);
#else
static_assert(wg::guarantee<tiled_matmul_contract<tile>>);
#endif
