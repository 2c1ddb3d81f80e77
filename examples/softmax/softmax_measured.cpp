// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for softmax against its contract. ptxas does not know the dynamic shared memory; the launch
/// sets it.

#include "softmax.measured.hpp"
#include "softmax_contract.hpp"

static_assert(wg::measured_guarantee<softmax_contract, wg::measured::softmax::softmax>);
