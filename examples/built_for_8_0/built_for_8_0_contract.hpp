// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of built_for_8_0, a kernel that is compiled for 8.0 alone, as in a library that is older than the GPU.
/// 8.6 and 8.9 run the same machine code, so the build checks them too. A GPU of 9.0 or later runs what the driver
/// compiles from the PTX.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct built_for_8_0_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>,
                                             wg::also_runs_on<wg::sm<86>, wg::sm<89>>> {};
