// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: what ptxas used for sum() keeps the contract, on every architecture of the build.

#include "sum_after.measured.hpp"
#include "sum_contract.hpp"

static_assert(wg::measured_guarantee<sum_contract, wg::measured::sum_after::sum>);
