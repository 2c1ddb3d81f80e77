// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of row_sums, whose block each launch chooses: as many threads as a row has columns, within limits. Each
/// thread adds 4 bytes of shared memory. The contract requires half of an SM's warps for every block size.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int row_sums_least_threads = 64;  // 16 blocks of 32 threads would fill a third of an SM of 8.6
inline constexpr int row_sums_most_threads = 512;

struct row_sums_contract
    : wg::contract<wg::max_threads_per_block<row_sums_most_threads>, wg::min_threads_per_block<row_sums_least_threads>,
                   wg::max_registers<40>, wg::dynamic_shared_memory_per_thread<sizeof(float)>, wg::min_occupancy<50>> {
};
