// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// free_bound and forced_bound as ptxas compiled them. Nothing forces free_bound's registers, so nothing but this
/// notices if they grow; forced_bound has its registers, and spills within its budget.

#include "free_bound.measured.hpp"
#include "free_bound_contract.hpp"

static_assert(wg::measured_guarantee<free_bound_contract, wg::measured::free_bound::free_bound>);
static_assert(wg::measured_guarantee<forced_bound_contract, wg::measured::free_bound::forced_bound>);
