// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of reduce, which adds up an array in blocks of 512 threads. It requires 32 warps on every SM, a number
/// rather than a percentage: they keep enough loads in flight, and are the maximum of compute capability 7.5. Shared
/// memory is one float per warp.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int reduce_block_threads = 512;
inline constexpr int reduce_warp_threads = 32;

/// The shared memory of a block. The kernel declares it, and the contract uses its size.
struct reduce_shared {
  float sum_of_warp[reduce_block_threads / reduce_warp_threads];
};

struct reduce_contract : wg::contract<wg::threads_per_block<reduce_block_threads>, wg::max_registers<32>,
                                      wg::static_shared_memory<sizeof(reduce_shared)>, wg::min_warps_per_sm<32>> {};
