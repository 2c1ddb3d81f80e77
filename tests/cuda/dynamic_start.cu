// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Where dynamic shared memory begins after static: see dynamic_start.cmake.

__global__ void swizzled(float* out) {
  __shared__ float own[5];
  extern __shared__ __align__(1024) float memory[];
  own[threadIdx.x % 5] = out[0];
  memory[threadIdx.x] = out[1];
  __syncthreads();
  out[threadIdx.x] = own[(threadIdx.x + 1) % 5] + memory[threadIdx.x ^ 1u];
}

#ifdef BESIDE
__global__ void beside(float* out) {
  __shared__ float own[5];
  own[threadIdx.x % 5] = out[0];
  __syncthreads();
  out[threadIdx.x] = own[(threadIdx.x + 1) % 5];
}
#endif
