// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for warp_specialised on 9.0a against its contract.

#include "warp_specialised.measured.hpp"
#include "warp_specialised_contract.hpp"

static_assert(wg::measured_guarantee<warp_specialised_contract, wg::measured::warp_specialised::warp_specialised>);
