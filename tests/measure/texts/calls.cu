// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The source of calls.*.txt, which were recorded for sm_80. k1 and k2 call a function that is not inlined; for k1 it
// spills.
__device__ __noinline__ float helper(float const* a, int n) {
  float v[64];
  for (int i = 0; i < 64; ++i) v[i] = a[i * n + threadIdx.x];
  for (int s = 0; s < n; ++s) {
#pragma unroll
    for (int i = 0; i < 64; ++i) v[i] = v[i] * v[(i + 1) % 64] + a[s];
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) sum += v[i];
  return sum;
}
extern "C" __global__ void __launch_bounds__(1024, 2) k1(float* a, int n) { a[0] = helper(a, n); }
extern "C" __global__ void k2(float* a, int n) { a[0] = helper(a, n) + 1; }
extern "C" __global__ void k3(float* a, int) { a[0] = 1; }
