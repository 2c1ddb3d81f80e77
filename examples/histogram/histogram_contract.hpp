// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of histogram, in which every warp has its own bins. The bins of 8 warps take 8 KiB. The contract
/// requires that they leave room for half of the warps of an SM.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int histogram_bins = 256;
inline constexpr int histogram_block_threads = 256;
inline constexpr int histogram_warps = histogram_block_threads / 32;
struct bins_of_warp;
using histogram_layout = wg::shared_layout<wg::shared_array<bins_of_warp, unsigned[histogram_bins], histogram_warps>>;

struct histogram_contract : wg::contract<wg::threads_per_block<histogram_block_threads>, wg::max_registers<40>,
                                         wg::static_shared_memory_of<histogram_layout>, wg::min_occupancy<50>> {};
