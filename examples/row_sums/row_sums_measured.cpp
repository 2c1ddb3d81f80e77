// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for row_sums against its contract, for every block that a launch may choose.

#include "row_sums.measured.hpp"
#include "row_sums_contract.hpp"

static_assert(wg::measured_guarantee<row_sums_contract, wg::measured::row_sums::row_sums>);
