// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launching a kernel under its contract, and comparing both with the driver. Needs the CUDA runtime, 11.8 or later.

#pragma once

#include "contract.hpp"
#include "launch/launch.cuh"
#include "launch/verify.cuh"
