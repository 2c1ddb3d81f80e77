// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The code of docs/low-occupancy.md.

#include <warpguard/answers.hpp>
#include <warpguard/contract.hpp>

namespace wg = warpguard;

static_assert(wg::min_warps_for({4, 128, 1}) == 16);  // each instruction waits for the one before it
static_assert(wg::min_warps_for({4, 128, 4}) == 4);   // four chains of instructions in each thread

struct tile_contract : wg::contract<wg::threads_per_block<256>, wg::min_registers<129>, wg::max_registers<240>,
                                    wg::exactly_blocks_per_sm<1>> {};
static_assert(wg::guarantee_on<tile_contract, wg::sm<80>, wg::sm<90>>);
static_assert(wg::occupancy_of(wg::sm_90, {256, 240}).percent() == 12.5);
