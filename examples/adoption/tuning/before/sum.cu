// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Before: sum() adds up an array, with a block and loads in flight that are tuned for each architecture. A build for
/// 8.0 alone runs on 9.0, from its PTX: then the kernel has the bounds of policy_800, the host launches 1024 threads,
/// and the launch fails.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: sum                        maxntid=256,1,1 minnctapersm=- maxclusterrank=-
// ptx sm_80 sm_86 sm_89: sum            maxntid=512,1,1 minnctapersm=- maxclusterrank=-
// ptx sm_90 sm_100 sm_120: sum          maxntid=1024,1,1 minnctapersm=- maxclusterrank=-

#include <cuda_runtime.h>

#include "sum_policy.hpp"

constexpr int sum_items = 8;  // of each thread

__global__ void __launch_bounds__(device_policy::threads) sum(long long n, float const* values, float* sum) {
  long long const first = 1LL * sum_items * device_policy::threads * blockIdx.x + threadIdx.x;
  float result = 0.0f;
#pragma unroll device_policy::loads
  for (int item = 0; item < sum_items; ++item) {
    long long const i = first + 1LL * item * device_policy::threads;
    if (i < n) result += values[i];
  }
  atomicAdd(sum, result);
}

template <class Policy>
cudaError_t sum_with(long long n, float const* values, float* result, cudaStream_t stream) {
  long long const tile = 1LL * sum_items * Policy::threads;
  sum<<<static_cast<unsigned>((n + tile - 1) / tile), Policy::threads, 0, stream>>>(n, values, result);
  return cudaGetLastError();
}

cudaError_t sum_all(long long n, float const* values, float* result, cudaStream_t stream) {
  int device = 0;
  int major = 0;
  cudaGetDevice(&device);
  cudaError_t const status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (status != cudaSuccess) return status;
  if (major >= 9) return sum_with<policy_900>(n, values, result, stream);
  if (major >= 8) return sum_with<policy_800>(n, values, result, stream);
  return sum_with<policy_750>(n, values, result, stream);
}
