// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// tiled_matmul after a change that must not compile: the tile grew from 32 to 48. The two tiles of a block then take
/// 18 KiB of shared memory. On compute capability 8.0, 9.0 and 10.0 six blocks still fit an SM. On 8.6, 8.9 and 12.0
/// the sixth block no longer fits, and on 7.5 the fourth. Without the contract nobody would notice.

// A test checks that the compiler prints the following, and that the file compiles if WARPGUARD_TWIN is defined:
// flags: -DWARPGUARD_TARGETS=750,800,860,890,900,1000,1200
// error: warpguard: the contract's minimum residency is out of reach [residency]
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
// WARPGUARD_LAUNCH_BOUNDS checks the contract of its kernel.
template __global__ void tiled_matmul<tile>(int m, int n, int k, float const* a, float const* b, float* c);
#else
static_assert(wg::guarantee<tiled_matmul_contract<tile>>);
#endif
