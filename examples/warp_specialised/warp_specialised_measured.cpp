// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for warp_specialised on 9.0a against its contract, and against what its roles request with
/// setmaxnreg.

#include "warp_specialised.measured.hpp"
#include "warp_specialised_contract.hpp"

static_assert(wg::measured_guarantee<warp_specialised_contract, wg::measured::warp_specialised::warp_specialised>);

// If the launch got fewer registers than the roles together request, the consumers would wait for them forever.
constexpr wg::measurement on_90 = wg::measured::warp_specialised::warp_specialised::measurements[0];
static_assert(wg::check_warp_roles(wg::sm_90, {warp_specialised_on_90::threads_per_block, on_90.registers},
                                   warp_specialised_roles)
                  .holds());
