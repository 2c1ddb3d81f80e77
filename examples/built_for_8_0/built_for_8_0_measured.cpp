// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for built_for_8_0 against its contract, on 8.0.

#include "built_for_8_0.measured.hpp"
#include "built_for_8_0_contract.hpp"

static_assert(wg::measured_guarantee<built_for_8_0_contract, wg::measured::built_for_8_0::scale>);
