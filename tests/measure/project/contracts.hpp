// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct sum_contract
    : wg::contract<wg::threads_per_block<128>, wg::max_registers<40>, wg::static_shared_memory<128 * sizeof(float)>,
                   wg::min_occupancy<50>, wg::no_min_blocks_bound> {};

// Nothing here is compiled for 5.0, and the report says so.
struct scale_contract
    : wg::contract<wg::threads_per_block<64>, wg::max_registers<32>, wg::on<wg::sm<50>, wg::barriers<1>>> {};
