// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Sums: 12 instances of a template, and a kernel that is static.

static __global__ void finish(int n, float const* sums, float* sum) {
  float total = 0;
  for (int i = threadIdx.x; i < n; i += 32) total += sums[i];
  for (int offset = 16; offset > 0; offset /= 2) total += __shfl_down_sync(~0u, total, offset);
  if (threadIdx.x == 0) *sum = total;
}

template <class T, int Threads>
__global__ void __launch_bounds__(Threads) reduce(int n, T const* x, T* sums) {
  __shared__ T partial[Threads];
  T sum = 0;
  for (int i = blockIdx.x * Threads + threadIdx.x; i < n; i += gridDim.x * Threads) sum += x[i];
  partial[threadIdx.x] = sum;
  for (int step = Threads / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

void sum(int n, float const* x, float* sums, float* result) {
  int const blocks = 128;
  reduce<float, 256><<<blocks, 256>>>(n, x, sums);
  finish<<<1, 32>>>(blocks, sums, result);
}

template __global__ void reduce<float, 64>(int, float const*, float*);
template __global__ void reduce<float, 128>(int, float const*, float*);
template __global__ void reduce<float, 256>(int, float const*, float*);
template __global__ void reduce<float, 512>(int, float const*, float*);
template __global__ void reduce<double, 64>(int, double const*, double*);
template __global__ void reduce<double, 128>(int, double const*, double*);
template __global__ void reduce<double, 256>(int, double const*, double*);
template __global__ void reduce<double, 512>(int, double const*, double*);
template __global__ void reduce<int, 64>(int, int const*, int*);
template __global__ void reduce<int, 128>(int, int const*, int*);
template __global__ void reduce<int, 256>(int, int const*, int*);
template __global__ void reduce<int, 512>(int, int const*, int*);
