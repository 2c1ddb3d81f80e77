// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// How observed.cuh, which is compiled with the kernels, passes what it wrote on the GPU to launches.cpp.

#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "resident_warps.hpp"

namespace gpu_test {

/// Null in a program whose kernels write no times.
struct warp_observer {
  cudaError_t (*clear)() = nullptr;
  cudaError_t (*read)(std::size_t count, std::vector<resident_warp>& warps) = nullptr;
};
extern warp_observer observer;

/// The most warps of a launch that are observed, 6 MiB of device memory.
inline constexpr std::size_t max_observed_warps = std::size_t{1} << 18;

}  // namespace gpu_test
