// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for cooperative_reduce, including the grid barrier, against its contract.

#include "cooperative_reduce.measured.hpp"
#include "cooperative_reduce_contract.hpp"

static_assert(
    wg::measured_guarantee<cooperative_reduce_contract, wg::measured::cooperative_reduce::cooperative_reduce>);
