// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: what ptxas used for multiply() keeps the contract, on every architecture of the build.

#include "multiply_after.measured.hpp"
#include "multiply_contract.hpp"

static_assert(wg::measured_guarantee<multiply_contract, wg::measured::multiply_after::multiply>);
