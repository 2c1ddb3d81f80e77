// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of cluster_histogram. With 160 KiB of bins per block exactly one block fits on an SM, and the contract
/// requires this. Clusters of 4 blocks share their bins. For compute capability 9.0.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int cluster_histogram_blocks = 4;
inline constexpr int cluster_histogram_bins_per_block = 40 * 1024;
inline constexpr int cluster_histogram_bins = cluster_histogram_blocks * cluster_histogram_bins_per_block;
inline constexpr int cluster_histogram_block_threads = 512;
struct my_bins;
using cluster_histogram_layout =
    wg::shared_layout<wg::shared_array<my_bins, unsigned, cluster_histogram_bins_per_block>>;

struct cluster_histogram_contract
    : wg::contract<wg::threads_per_block<cluster_histogram_block_threads>, wg::max_registers<64>,
                   wg::cluster_size<cluster_histogram_blocks>, wg::dynamic_shared_memory_of<cluster_histogram_layout>,
                   wg::exactly_blocks_per_sm<1>> {};
