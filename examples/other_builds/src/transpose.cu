// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Matrices: four kernels that are no templates.

constexpr int tile_size = 32;
constexpr int padding = 1;  // so that the threads of a warp read different banks

extern "C" __global__ void __launch_bounds__(256) transpose(int rows, int columns, float const* x, float* y) {
  __shared__ float tile[tile_size][tile_size + padding];
  int const row = blockIdx.y * tile_size;
  int const column = blockIdx.x * tile_size + threadIdx.x % tile_size;
  for (int i = threadIdx.x / tile_size; i < tile_size; i += 8) {
    if (row + i < rows && column < columns) tile[i][threadIdx.x % tile_size] = x[(row + i) * columns + column];
  }
  __syncthreads();
  int const first = blockIdx.x * tile_size;
  int const to = blockIdx.y * tile_size + threadIdx.x % tile_size;
  for (int i = threadIdx.x / tile_size; i < tile_size; i += 8) {
    if (first + i < columns && to < rows) y[(first + i) * rows + to] = tile[threadIdx.x % tile_size][i];
  }
}

namespace matrix {

__global__ void __launch_bounds__(256) add(int n, float const* x, float const* y, float* z) {
  int const i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

__global__ void __launch_bounds__(256) scale(int n, float factor, float* x) {
  int const i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= factor;
}

__global__ void __launch_bounds__(128) row_maximum(int columns, float const* x, float* largest) {
  __shared__ float found[128];
  float most = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += 128) most = fmaxf(most, x[blockIdx.x * columns + i]);
  found[threadIdx.x] = most;
  for (int step = 64; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) found[threadIdx.x] = fmaxf(found[threadIdx.x], found[threadIdx.x + step]);
  }
  if (threadIdx.x == 0) largest[blockIdx.x] = found[0];
}

}  // namespace matrix
