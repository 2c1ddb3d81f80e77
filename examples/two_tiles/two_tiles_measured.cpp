// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// two_tiles as ptxas compiled it, held to its contract: each architecture has a tile of its own size.

#include "two_tiles.measured.hpp"
#include "two_tiles_contract.hpp"

static_assert(wg::measured_guarantee<two_tiles_contract, wg::measured::two_tiles::two_tiles>);
