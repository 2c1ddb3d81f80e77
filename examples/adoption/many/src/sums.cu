// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Sums of blocks. The bounds of the largest one were tuned by hand.

#include <cuda_runtime.h>

template <class Element, int Threads, int PerThread>
__global__ void __launch_bounds__(Threads) sum(int n, Element const* in, Element* out) {
  __shared__ Element partial[Threads];
  Element total = 0;
  int const first = static_cast<int>(blockIdx.x) * Threads * PerThread + static_cast<int>(threadIdx.x);
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    if (first + k * Threads < n) total += in[first + k * Threads];
  }
  partial[threadIdx.x] = total;
  for (int lanes = Threads / 2; lanes > 0; lanes /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < lanes) partial[threadIdx.x] += partial[threadIdx.x + lanes];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

#define INSTANTIATE(Element, Threads)                                               \
  template __global__ void sum<Element, Threads, 1>(int, Element const*, Element*); \
  template __global__ void sum<Element, Threads, 4>(int, Element const*, Element*); \
  template __global__ void sum<Element, Threads, 8>(int, Element const*, Element*);

INSTANTIATE(float, 128)
INSTANTIATE(float, 256)
INSTANTIATE(double, 128)
INSTANTIATE(double, 256)
INSTANTIATE(int, 128)
INSTANTIATE(int, 256)
