// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for cluster_histogram on 9.0a against its contract.

#include "cluster_histogram.measured.hpp"
#include "cluster_histogram_contract.hpp"

static_assert(wg::measured_guarantee<cluster_histogram_contract, wg::measured::cluster_histogram::cluster_histogram>);
