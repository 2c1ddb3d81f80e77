// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Makes the warps of a kernel write when and where they run. observed.cmake puts a warp_observation at the beginning
/// of each kernel of an example, and the build includes this file before it.
///
/// A warp is taken to run from the begin to the end of its first thread. So a warp may run longer than is written, and
/// never shorter: the blocks that are seen at the same time were resident at the same time.

#pragma once

#include "launches.hpp"

namespace gpu_test {

__device__ resident_warp observed_warps[max_observed_warps];

class warp_observation {
 public:
  __device__ warp_observation() {
    if (resident_warp* const warp = mine()) {
      unsigned sm;
      asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
      warp->sm = sm;
      warp->begin = clock64();
    }
  }
  __device__ ~warp_observation() {
    if (resident_warp* const warp = mine()) warp->end = clock64();
  }
  warp_observation(warp_observation const&) = delete;
  warp_observation& operator=(warp_observation const&) = delete;

 private:
  /// Returns where this thread writes; null if it is not the first of its warp. Computed twice, so that the kernel
  /// keeps no register for it.
  __device__ static resident_warp* mine() {
    unsigned const thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (thread % 32 != 0) return nullptr;
    unsigned const warps_per_block = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
    unsigned long long const block = blockIdx.x + 1ULL * gridDim.x * (blockIdx.y + 1ULL * gridDim.y * blockIdx.z);
    unsigned long long const index = block * warps_per_block + thread / 32;
    return index < max_observed_warps ? &observed_warps[index] : nullptr;
  }
};

inline cudaError_t clear_warps() {
  void* address = nullptr;
  cudaError_t const status = cudaGetSymbolAddress(&address, observed_warps);
  return status != cudaSuccess ? status : cudaMemset(address, 0, sizeof(observed_warps));
}

inline cudaError_t read_warps(std::size_t count, std::vector<resident_warp>& warps) {
  warps.resize(count);
  return cudaMemcpyFromSymbol(warps.data(), observed_warps, count * sizeof(resident_warp));
}

static bool const is_observed = (observer = {clear_warps, read_warps}, true);

}  // namespace gpu_test
