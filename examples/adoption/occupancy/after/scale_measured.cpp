// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: what ptxas used keeps both contracts, on every architecture of the build.

#include "scale_after.measured.hpp"
#include "scale_contracts.hpp"

static_assert(wg::measured_guarantee<scale_contract, wg::measured::scale_after::scale>);
static_assert(wg::measured_guarantee<reverse_tiles_contract, wg::measured::scale_after::reverse_tiles>);
