// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// free_bound as ptxas compiled it: nothing forces its registers, so nothing but this notices if they grow.

#include "free_bound.measured.hpp"
#include "free_bound_contract.hpp"

static_assert(wg::measured_guarantee<free_bound_contract, wg::measured::free_bound::free_bound>);
