// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for two_tiles against its contract. Each architecture has its own tile size.

#include "two_tiles.measured.hpp"
#include "two_tiles_contract.hpp"

static_assert(wg::measured_guarantee<two_tiles_contract, wg::measured::two_tiles::two_tiles>);
