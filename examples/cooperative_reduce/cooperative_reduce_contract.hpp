// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of cooperative_reduce, which adds up an array in one launch. At least 4 blocks must be resident on each
/// SM.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int cooperative_reduce_block_threads = 256;

struct cooperative_reduce_contract
    : wg::contract<wg::threads_per_block<cooperative_reduce_block_threads>, wg::max_registers<40>,
                   wg::static_shared_memory<cooperative_reduce_block_threads * sizeof(float)>,
                   wg::min_blocks_per_sm<4>> {};
