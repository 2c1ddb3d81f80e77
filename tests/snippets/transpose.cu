// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The tutorial's program. With -DOUTGROWN it must not compile for 7.5 and 8.6, and says so twice: "the contract's
// minimum residency is out of reach".

#include <cstdio>
#include <vector>
#include <warpguard/launch.cuh>
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef OUTGROWN
constexpr int tile_rows = 64;
constexpr int tile_columns = 64;
#else
constexpr int tile_rows = 32;
constexpr int tile_columns = 32;
#endif
using tile_type = float[tile_rows][tile_columns + 1];  // one column more keeps the banks apart

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
  std::size_t const count = static_cast<std::size_t>(rows) * columns;
  std::vector<float> in(count);
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i);

  float* device_in = nullptr;
  float* device_out = nullptr;
  cudaMalloc(&device_in, count * sizeof(float));
  cudaMalloc(&device_out, count * sizeof(float));
  cudaMemcpy(device_in, in.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaError_t status = run_transpose(rows, columns, device_in, device_out, nullptr);
  if (status == cudaSuccess) {
    status = cudaMemcpy(out.data(), device_out, count * sizeof(float), cudaMemcpyDeviceToHost);
  }
  cudaFree(device_in);
  cudaFree(device_out);
  if (status != cudaSuccess) {
    std::printf("failed: %s\n", cudaGetErrorString(status));
    return 1;
  }
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (out[static_cast<std::size_t>(c) * rows + r] != in[static_cast<std::size_t>(r) * columns + c]) {
        std::printf("wrong result at row %d, column %d\n", r, c);
        return 1;
      }
    }
  }
  std::puts("the transposed matrix is right");
  return 0;
}
