// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of free_bound, a kernel that is better left free: a thread keeps 96 coefficients in registers. Forced
/// to 6 blocks of 256 threads, ptxas has 40 registers to give and spills 164 bytes on 9.0; free, it takes 109 registers
/// and spills nothing. With no_forced_bounds the contract checks two blocks and leaves ptxas alone.

#pragma once

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

inline constexpr int free_bound_block_threads = 256;
inline constexpr int free_bound_terms = 96;

struct free_bound_contract : wg::contract<wg::threads_per_block<free_bound_block_threads>, wg::max_registers<128>,
                                          wg::min_blocks_per_sm<2>, wg::no_forced_bounds> {};
