// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for free_bound and forced_bound against their contracts. No launch bound limits the registers
/// of free_bound, so only this check notices if they grow. forced_bound gets only its registers, and spills within its
/// budget.

#include "free_bound.measured.hpp"
#include "free_bound_contract.hpp"

static_assert(wg::measured_guarantee<free_bound_contract, wg::measured::free_bound::free_bound>);
static_assert(wg::measured_guarantee<forced_bound_contract, wg::measured::free_bound::forced_bound>);
