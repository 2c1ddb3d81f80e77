// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct sum_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<REGISTERS>, wg::no_min_blocks_bound> {
};
