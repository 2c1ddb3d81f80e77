// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A contract that two files use which are built for different targets: launch.cpp and launch_elsewhere.cpp.

#pragma once

#include <warpguard/launch.cuh>

struct everywhere_contract : warpguard::contract<warpguard::threads_per_block<128>, warpguard::min_blocks_per_sm<1>> {};
void everywhere(int, float);

/// Launches `everywhere` from launch_elsewhere.cpp, whose only target is 7.0.
cudaError_t launch_elsewhere();
