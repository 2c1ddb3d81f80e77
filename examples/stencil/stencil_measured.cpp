// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// stencil as ptxas compiled it, held to its contract: each architecture has a tile of its own length.

#include "stencil.measured.hpp"
#include "stencil_contract.hpp"

static_assert(wg::measured_guarantee<stencil_contract, wg::measured::stencil::stencil>);
