// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for both instances of tuned_reduce against their contracts.

#include "tuned_reduce.measured.hpp"
#include "tuned_reduce_contract.hpp"

namespace measured = wg::measured::tuned_reduce;
static_assert(wg::measured_guarantee<tuned_reduce_contract<float>, measured::tuned_reduce::of_float>);
static_assert(wg::measured_guarantee<tuned_reduce_contract<double>, measured::tuned_reduce::of_double>);
