// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The tutorial's program.

#include <warpguard/launch.cuh>

#include <cstdio>

namespace wg = warpguard;

constexpr int tile_rows = 32;
constexpr int tile_columns = 32;
using tile_type = float[tile_rows][tile_columns + 1];  // one more column avoids bank conflicts

struct transpose_contract : wg::contract<wg::threads_per_block<32, 8>, wg::static_shared_memory<sizeof(tile_type)>,
                                         wg::max_registers<32>, wg::min_occupancy<100>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(transpose_contract)
    transpose(int rows, int columns, float const* in, float* out) {
  __shared__ tile_type tile;
  int const first_row = static_cast<int>(blockIdx.y) * tile_rows;
  int const first_column = static_cast<int>(blockIdx.x) * tile_columns;
  int const x = static_cast<int>(threadIdx.x);
  int const y = static_cast<int>(threadIdx.y);

  for (int r = y; r < tile_rows && first_row + r < rows; r += 8) {
    for (int c = x; c < tile_columns && first_column + c < columns; c += 32) {
      tile[r][c] = in[(first_row + r) * columns + first_column + c];
    }
  }
  __syncthreads();
  for (int c = y; c < tile_columns && first_column + c < columns; c += 8) {
    for (int r = x; r < tile_rows && first_row + r < rows; r += 32) {
      out[(first_column + c) * rows + first_row + r] = tile[r][c];
    }
  }
}

static cudaError_t run_transpose(int rows, int columns, float const* in, float* out, cudaStream_t stream) {
  dim3 const grid(static_cast<unsigned>((columns + tile_columns - 1) / tile_columns),
                  static_cast<unsigned>((rows + tile_rows - 1) / tile_rows));
  return wg::launch<transpose_contract>(transpose, grid, stream, rows, columns, in, out);
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("compiled, but not run: no GPU here");
    return 0;
  }
  int const rows = 1000;
  int const columns = 777;
  float* in = nullptr;
  float* out = nullptr;
  cudaError_t status = cudaMallocManaged(&in, sizeof(float) * rows * columns);
  if (status == cudaSuccess) status = cudaMallocManaged(&out, sizeof(float) * rows * columns);
  if (status == cudaSuccess) {
    for (int i = 0; i < rows * columns; ++i) in[i] = static_cast<float>(i);
    status = run_transpose(rows, columns, in, out, nullptr);
  }
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    std::printf("failed: %s\n", cudaGetErrorString(status));
    return 1;
  }
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (out[c * rows + r] != in[r * columns + c]) {
        std::printf("wrong result at row %d, column %d\n", r, c);
        return 1;
      }
    }
  }
  std::puts("the transposed matrix is right");
  return 0;
}
