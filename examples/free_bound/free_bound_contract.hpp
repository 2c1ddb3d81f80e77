// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contracts of free_bound and forced_bound, whose threads keep 96 coefficients in registers. free_bound needs two
/// resident blocks; with no_min_blocks_bound this is checked, but not passed to ptxas as a launch bound. forced_bound
/// is the same kernel with launch bounds for six blocks, which leave 40 registers per thread. Its spills have a budget
/// with room for other compilers; the lock has the exact bytes.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int free_bound_block_threads = 256;
inline constexpr int free_bound_terms = 96;

struct free_bound_contract : wg::contract<wg::threads_per_block<free_bound_block_threads>, wg::max_registers<128>,
                                          wg::min_blocks_per_sm<2>, wg::no_min_blocks_bound> {};

struct forced_bound_contract
    : wg::contract<wg::threads_per_block<free_bound_block_threads>, wg::max_registers<40>, wg::min_blocks_per_sm<6>,
                   wg::spill_budget<256>, wg::on<wg::sm<75>, wg::max_registers<64>, wg::min_blocks_per_sm<4>>> {};
