// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of saxpy, y = a * x + y. A kernel that mostly moves data needs many warps to hide its latency, so the
/// contract requires 75 % of the warps of an SM. 256 threads divide the 1024, 1536 and 2048 threads that SMs hold. With
/// 40 registers per thread the 65536 registers of an SM allow 48 warps: 75 % of the largest SM, and more of the others.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int saxpy_block_threads = 256;

struct saxpy_contract
    : wg::contract<wg::threads_per_block<saxpy_block_threads>, wg::max_registers<40>, wg::min_occupancy<75>> {};
