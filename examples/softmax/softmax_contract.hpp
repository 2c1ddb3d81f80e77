// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of softmax, which keeps a row per block in dynamic shared memory. It requires 32 warps on each SM: they
/// keep enough loads in flight, and are the maximum of compute capability 7.5. 12 KiB per row leave room for them on
/// every target.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int softmax_max_columns = 3072;
inline constexpr int softmax_block_threads = 256;
struct softmax_row;
struct softmax_scratch;
using softmax_layout = wg::shared_layout<wg::shared_array<softmax_row, float, softmax_max_columns>,
                                         wg::shared_array<softmax_scratch, float, softmax_block_threads / 32>>;

struct softmax_contract : wg::contract<wg::threads_per_block<softmax_block_threads>, wg::max_registers<40>,
                                       wg::dynamic_shared_memory_of<softmax_layout>, wg::min_warps_per_sm<32>> {};
