// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for persistent against its contract: the blocks of the grid must all be resident.

#include "persistent.measured.hpp"
#include "persistent_contract.hpp"

static_assert(wg::measured_guarantee<persistent_contract, wg::measured::persistent::persistent>);
