// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for transpose against its contract: the tile must have the size of the layout.

#include "transpose.measured.hpp"
#include "transpose_contract.hpp"

static_assert(wg::measured_guarantee<transpose_contract, wg::measured::transpose::transpose>);
