// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// histogram as ptxas compiled it, held to its contract: its bins take what the layout says.

#include "histogram.measured.hpp"
#include "histogram_contract.hpp"

static_assert(wg::measured_guarantee<histogram_contract, wg::measured::histogram::histogram>);
