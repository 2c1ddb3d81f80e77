// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// transpose computes out[j][i] = in[i][j]. A block reads the rows of a tile into shared memory and writes rows of the
/// transposed tile, so that reads and writes are coalesced. Contract: transpose_contract.hpp.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: transpose                maxntid=256,1,1 minnctapersm=3 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: transpose   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: transpose   maxntid=256,1,1 minnctapersm=5 maxclusterrank=-

#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "transpose_contract.hpp"

constexpr int tile = transpose_tile;
constexpr int rows_at_once = transpose_rows_at_once;

__global__ void WARPGUARD_LAUNCH_BOUNDS(transpose_contract)
    transpose(int rows, int columns, float const* in, float* out) {
  __shared__ transpose_layout::storage memory;
  float(*const values)[tile + 1] = transpose_layout::get<transpose_elements>(&memory);
  int const x = static_cast<int>(threadIdx.x);
  int const first_row = static_cast<int>(blockIdx.y) * tile;
  int const first_column = static_cast<int>(blockIdx.x) * tile;
  for (int y = static_cast<int>(threadIdx.y); y < tile; y += rows_at_once) {
    if (first_row + y < rows && first_column + x < columns) {
      values[y][x] = in[1LL * (first_row + y) * columns + first_column + x];
    }
  }
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < tile; y += rows_at_once) {
    if (first_column + y < columns && first_row + x < rows) {
      out[1LL * (first_column + y) * rows + first_row + x] = values[x][y];
    }
  }
}

namespace {

bool is_correct(int rows, int columns) {
  std::vector<float> in(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  examples::device_buffer<float> const device_in(in);
  examples::device_buffer<float> const device_out(in.size());
  dim3 const grid(examples::blocks_for(columns, tile), examples::blocks_for(rows, tile));
  examples::check(
      wg::launch<transpose_contract>(transpose, grid, nullptr, rows, columns, device_in.data(), device_out.data()));
  std::vector<float> const out = device_out.to_host();
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::size_t const row = i / static_cast<std::size_t>(columns);
    std::size_t const column = i % static_cast<std::size_t>(columns);
    if (out[column * static_cast<std::size_t>(rows) + row] != in[i]) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("transpose", [] { return is_correct(1, 1) && is_correct(32, 64) && is_correct(33, 1000); });
}
