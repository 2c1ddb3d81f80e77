// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

__device__ void turn(char* x, char* all) {
#pragma unroll 1
  for (int i = 0; i < SHARED / 64; ++i) all[64 * i + threadIdx.x] = x[64 * i + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < SHARED / 64; ++i) x[64 * i + 63 - threadIdx.x] = all[64 * i + threadIdx.x];
}
