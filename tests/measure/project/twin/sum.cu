// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// An object with the same name as another one. Its kernel has no contract, so only the lock checks it.
__global__ void unguarded(float* x) {
#if defined(VARIANT_unguarded)
  float a[24];
#pragma unroll
  for (int i = 0; i < 24; ++i) a[i] = x[i * 64 + threadIdx.x];
#pragma unroll
  for (int i = 0; i < 24; ++i) x[i * 64 + threadIdx.x] = a[23 - i] * a[i];
#else
  x[threadIdx.x] = 0;
#endif
}
