// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: the contract says what the table was for, that all threads of an SM are resident. warpguard's table says how
/// many blocks that takes on each architecture.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct multiply_contract : wg::contract<wg::threads_per_block<256>, wg::min_occupancy<100>, wg::spill_budget<16>> {};
