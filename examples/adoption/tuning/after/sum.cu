// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: sum() adds up an array, with a block and loads in flight that are tuned for each architecture. A build
/// for 8.0 alone runs on 9.0 with the block of 8.0, because the launch takes the contract of the code that runs.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: sum                             maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80: sum                             maxntid=512,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: sum                maxntid=512,1,1 minnctapersm=3 maxclusterrank=-
// ptx sm_90 sm_100: sum                      maxntid=1024,1,1 minnctapersm=2 maxclusterrank=-

#include <warpguard/launch.cuh>

#include "sum_contract.hpp"

constexpr int sum_items = 8;  // of each thread

__global__ void WARPGUARD_LAUNCH_BOUNDS(sum_contract) sum(long long n, float const* values, float* sum) {
  constexpr int threads = sum_contract::on_sm<wg::this_sm>::threads_per_block;
  constexpr int loads = sum_loads_on<wg::this_sm>;
  long long const first = 1LL * sum_items * threads * blockIdx.x + threadIdx.x;
  float result = 0.0f;
#pragma unroll loads
  for (int item = 0; item < sum_items; ++item) {
    long long const i = first + 1LL * item * threads;
    if (i < n) result += values[i];
  }
  atomicAdd(sum, result);
}

cudaError_t sum_all(long long n, float const* values, float* result, cudaStream_t stream) {
  return wg::launch<sum_contract>(sum, wg::for_items((n + sum_items - 1) / sum_items), stream, n, values, result);
}
