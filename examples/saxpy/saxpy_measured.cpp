// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// saxpy as ptxas compiled it, held to its contract on every architecture of the build. No GPU and no CUDA here.

#include "saxpy.measured.hpp"
#include "saxpy_contract.hpp"

static_assert(wg::measured_guarantee<saxpy_contract, wg::measured::saxpy::saxpy>);
