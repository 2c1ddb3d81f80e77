// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launches a kernel under its contract, and compares contract and model with the driver. Needs the CUDA runtime, 11.8
/// or later.

#pragma once

// First, because compilers list the files that lead to the one with an error.
#include "contract/guards.hpp"
#include "contract/targets.hpp"
#include "launch/guards.cuh"
#include "layout/guards.hpp"

#include "contract.hpp"
#include "launch/launch.cuh"
#include "launch/launch_refusal.cuh"
#include "launch/verify.cuh"
