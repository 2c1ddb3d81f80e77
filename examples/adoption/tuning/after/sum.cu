// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: sum() adds up an array, with a block and items per thread that are tuned for each architecture. A build
/// for 8.0 alone runs on 9.0 with the block of 8.0, because the launch takes the contract of the code that runs.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: sum                             maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80: sum                             maxntid=512,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: sum                maxntid=512,1,1 minnctapersm=3 maxclusterrank=-
// ptx sm_90 sm_100: sum                      maxntid=1024,1,1 minnctapersm=2 maxclusterrank=-

#include <warpguard/launch.cuh>

#include "sum_contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(sum_contract) sum(long long n, float const* values, float* sum) {
  constexpr int items = sum_items_on<wg::this_sm>;
  long long const tile = 1LL * blockDim.x * items;
  float result = 0.0f;
  for (long long first = tile * blockIdx.x; first < n; first += tile * gridDim.x) {
#pragma unroll
    for (int item = 0; item < items; ++item) {
      long long const i = first + 1LL * item * blockDim.x + threadIdx.x;
      if (i < n) result += values[i];
    }
  }
  atomicAdd(sum, result);
}

cudaError_t sum_all(long long n, float const* values, float* result, cudaStream_t stream) {
  dim3 grid;  // as many blocks as are resident; they share the tiles
  cudaError_t const status = wg::resident_grid<sum_contract>(sum, grid);
  if (status != cudaSuccess) return status;
  return wg::launch<sum_contract>(sum, grid, stream, n, values, result);
}
