// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for reduce against its contract: the static shared memory must be that of the contract.

#include "reduce.measured.hpp"
#include "reduce_contract.hpp"

static_assert(wg::measured_guarantee<reduce_contract, wg::measured::reduce::reduce>);
