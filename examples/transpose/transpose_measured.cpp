// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// transpose as ptxas compiled it, held to its contract: its tile takes what the layout says.

#include "transpose.measured.hpp"
#include "transpose_contract.hpp"

static_assert(wg::measured_guarantee<transpose_contract, wg::measured::transpose::transpose>);
