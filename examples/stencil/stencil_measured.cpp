// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for stencil against its contract. Each architecture has its own tile length.

#include "stencil.measured.hpp"
#include "stencil_contract.hpp"

static_assert(wg::measured_guarantee<stencil_contract, wg::measured::stencil::stencil>);
