// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for saxpy against its contract, on every architecture of the build. This file needs neither a
/// GPU nor CUDA.

#include "saxpy.measured.hpp"
#include "saxpy_contract.hpp"

static_assert(wg::measured_guarantee<saxpy_contract, wg::measured::saxpy::saxpy>);
