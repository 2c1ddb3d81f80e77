// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launches a kernel under its contract, and compares contract and model with the driver. Needs the CUDA runtime, 11.8
/// or later.

#pragma once

// First, so that compilers name few files before the rule of a refusal.
#include "contract/guards.hpp"
#include "contract/targets.hpp"
#include "launch/guards.cuh"
#include "layout/guards.hpp"

#include "contract.hpp"
#include "launch/grid_size.cuh"
#include "launch/kernel.cuh"
#include "launch/launch.cuh"
#include "launch/launch_attributes.cuh"
#include "launch/launch_options.cuh"
#include "launch/launch_refusal.cuh"
#include "launch/prepare.cuh"
#include "launch/promise.cuh"
#include "launch/verify.cuh"
