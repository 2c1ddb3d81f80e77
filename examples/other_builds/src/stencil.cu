// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A stencil in one dimension: eight instances of a template, one for each radius.

template <int Radius>
__global__ void __launch_bounds__(256) stencil(int n, float const* x, float* y) {
  __shared__ float tile[256 + 2 * Radius];
  int const first = blockIdx.x * 256 - Radius;
  for (int i = threadIdx.x; i < 256 + 2 * Radius; i += 256) {
    tile[i] = first + i >= 0 && first + i < n ? x[first + i] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i <= 2 * Radius; ++i) sum += tile[threadIdx.x + i];
  int const at = blockIdx.x * 256 + threadIdx.x;
  if (at < n) y[at] = sum / (2 * Radius + 1);
}

template __global__ void stencil<1>(int, float const*, float*);
template __global__ void stencil<2>(int, float const*, float*);
template __global__ void stencil<3>(int, float const*, float*);
template __global__ void stencil<4>(int, float const*, float*);
template __global__ void stencil<5>(int, float const*, float*);
template __global__ void stencil<6>(int, float const*, float*);
template __global__ void stencil<7>(int, float const*, float*);
template __global__ void stencil<8>(int, float const*, float*);
