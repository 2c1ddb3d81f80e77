// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// persistent as ptxas compiled it, held to its contract: a grid of as many blocks as fit needs them to fit.

#include "persistent.measured.hpp"
#include "persistent_contract.hpp"

static_assert(wg::measured_guarantee<persistent_contract, wg::measured::persistent::persistent>);
