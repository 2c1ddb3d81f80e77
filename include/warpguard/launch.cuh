// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launches a kernel under its contract, and compares contract and model with the driver. Needs the CUDA runtime, 11.8
/// or later.

#pragma once

#include "contract.hpp"
#include "launch/launch.cuh"
#include "launch/launch_refusal.cuh"
#include "launch/verify.cuh"
