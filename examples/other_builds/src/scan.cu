// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prefix sums of blocks: eight instances of a template, and a static kernel of the same name as one in reduce.cu.

static __global__ void finish(int n, float const* sums, float* x) {
  int const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += sums[blockIdx.x];
}

template <class T, int Threads>
__global__ void __launch_bounds__(Threads) scan(int n, T const* x, T* y) {
  __shared__ T values[2][Threads];
  int const i = blockIdx.x * Threads + threadIdx.x;
  int from = 0;
  values[from][threadIdx.x] = i < n ? x[i] : T(0);
  for (int step = 1; step < Threads; step *= 2, from = 1 - from) {
    __syncthreads();
    T const before = threadIdx.x >= step ? values[from][threadIdx.x - step] : T(0);
    values[1 - from][threadIdx.x] = values[from][threadIdx.x] + before;
  }
  if (i < n) y[i] = values[from][threadIdx.x];
}

void add_sums(int n, float const* sums, float* x) { finish<<<(n + 1023) / 1024, 1024>>>(n, sums, x); }

template __global__ void scan<float, 128>(int, float const*, float*);
template __global__ void scan<float, 256>(int, float const*, float*);
template __global__ void scan<float, 512>(int, float const*, float*);
template __global__ void scan<float, 1024>(int, float const*, float*);
template __global__ void scan<int, 128>(int, int const*, int*);
template __global__ void scan<int, 256>(int, int const*, int*);
template __global__ void scan<int, 512>(int, int const*, int*);
template __global__ void scan<int, 1024>(int, int const*, int*);
