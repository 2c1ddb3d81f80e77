// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// softmax as ptxas compiled it, held to its contract. The dynamic shared memory is the launch's: ptxas sees none of
/// it.

#include "softmax.measured.hpp"
#include "softmax_contract.hpp"

static_assert(wg::measured_guarantee<softmax_contract, wg::measured::softmax::softmax>);
