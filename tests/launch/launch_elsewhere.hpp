// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A contract of two files that are built for different targets: launch.cpp and launch_elsewhere.cpp.

#pragma once

#include <warpguard/launch.cuh>

struct everywhere_contract : warpguard::contract<warpguard::threads_per_block<128>> {};
void everywhere(int, float);

/// Launches it from the file whose one target is 7.0.
cudaError_t launch_elsewhere();
