// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// cooperative_reduce as ptxas compiled it, held to its contract: what the grid barrier takes counts too.

#include "cooperative_reduce.measured.hpp"
#include "cooperative_reduce_contract.hpp"

static_assert(
    wg::measured_guarantee<cooperative_reduce_contract, wg::measured::cooperative_reduce::cooperative_reduce>);
