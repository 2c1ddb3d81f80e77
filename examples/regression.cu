// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// tiled_matmul after a change that does not compile, on purpose: somebody grew the tile from 32 to 48. Its two tiles
/// take 18 KiB of shared memory, and the promised blocks still fit the SM of compute capability 8.0, 9.0 and 10.0, on
/// which it was tried. On 8.6, 8.9 and 12.0 a sixth block no longer does, nor a fourth on 7.5; nothing but the contract
/// would say so.

// What a test expects of the compiler; with WARPGUARD_TWIN defined it must compile:
// flags: -DWARPGUARD_TARGETS=750,800,860,890,900,1000,1200
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=tiled_matmul_contract<48>, Architecture=sm<75>, BlocksReached=3, BlocksRequired=4,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<16384>>
// facts: residency_guard<Contract=tiled_matmul_contract<48>, Architecture=sm<86>, BlocksReached=5, BlocksRequired=6,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<16000>>
// facts: residency_guard<Contract=tiled_matmul_contract<48>, Architecture=sm<89>, BlocksReached=5, BlocksRequired=6,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<16000>>
// facts: residency_guard<Contract=tiled_matmul_contract<48>, Architecture=sm<120>, BlocksReached=5, BlocksRequired=6,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<16000>>

#include "tiled_matmul/tiled_matmul_contract.hpp"

#ifdef WARPGUARD_TWIN
inline constexpr int tile = 32;
#else
inline constexpr int tile = 48;
#endif

#ifdef __CUDACC__
#include "tiled_matmul/tiled_matmul.cuh"
// WARPGUARD_LAUNCH_BOUNDS checks the contract of the kernel that it bounds.
template __global__ void tiled_matmul<tile>(int m, int n, int k, float const* a, float const* b, float* c);
#else
static_assert(wg::guarantee<tiled_matmul_contract<tile>>);
#endif
