// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

__device__ void turn(char* x, char* all) {
#if defined(SPILLING)
  float values[24];
#pragma unroll
  for (int i = 0; i < 24; ++i) values[i] = static_cast<float>(x[64 * i + threadIdx.x]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 24; ++i) x[64 * i + threadIdx.x] = static_cast<char>(values[23 - i] * values[(i + 7) % 24]);
#endif
#pragma unroll 1
  for (int i = 0; i < SHARED / 64; ++i) all[64 * i + threadIdx.x] = x[64 * i + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < SHARED / 64; ++i) x[64 * i + 63 - threadIdx.x] = all[64 * i + threadIdx.x];
}
