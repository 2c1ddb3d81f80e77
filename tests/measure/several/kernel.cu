// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#if defined(MORE)
constexpr int live = 120;
#else
constexpr int live = 8;
#endif

__global__ void __launch_bounds__(128) kernel(int n, float const* in, float* out) {
  float values[live];
#pragma unroll
  for (int i = 0; i < live; ++i) values[i] = in[i * n];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < live; ++i) out[i * n] = values[i] + values[live - 1 - i];
}
