// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// reduce as ptxas compiled it, held to its contract: its static shared memory must be what the contract states.

#include "reduce.measured.hpp"
#include "reduce_contract.hpp"

static_assert(wg::measured_guarantee<reduce_contract, wg::measured::reduce::reduce>);
