// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of free_bound, a kernel that is better left free: a thread keeps 96 coefficients in registers. With
/// no_min_blocks_bound it checks two blocks and leaves ptxas alone. forced_bound is the same kernel under the bounds
/// that six blocks take, which leave 40 registers. What it spills for them has a budget, with room for other compilers;
/// the bytes are in the lock.

#pragma once

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

inline constexpr int free_bound_block_threads = 256;
inline constexpr int free_bound_terms = 96;

struct free_bound_contract : wg::contract<wg::threads_per_block<free_bound_block_threads>, wg::max_registers<128>,
                                          wg::min_blocks_per_sm<2>, wg::no_min_blocks_bound> {};

struct forced_bound_contract
    : wg::contract<wg::threads_per_block<free_bound_block_threads>, wg::max_registers<40>, wg::min_blocks_per_sm<6>,
                   wg::spill_budget<256>, wg::on<wg::sm<75>, wg::max_registers<64>, wg::min_blocks_per_sm<4>>> {};
