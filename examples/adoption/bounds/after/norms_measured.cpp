// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: what ptxas used for norms() keeps the contract, on every architecture of the build.

#include "norms_after.measured.hpp"
#include "norms_contract.hpp"

static_assert(wg::measured_guarantee<norms_contract, wg::measured::norms_after::norms>);
