// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for histogram against its contract: the bins must have the size of the layout.

#include "histogram.measured.hpp"
#include "histogram_contract.hpp"

static_assert(wg::measured_guarantee<histogram_contract, wg::measured::histogram::histogram>);
