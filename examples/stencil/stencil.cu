// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// stencil computes the mean of 2 * radius + 1 neighbours from a tile in dynamic shared memory that is as long as each
/// GPU allows. Blocks process several tiles in a loop, so the host need not know the length of a tile. Contract:
/// stencil_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: stencil   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-

#include <algorithm>
#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "stencil_contract.hpp"

constexpr int radius = stencil_radius;
constexpr int block_threads = stencil_block_threads;

__global__ void WARPGUARD_LAUNCH_BOUNDS(stencil_contract) stencil(int n, float const* in, float* out) {
  constexpr int tile = stencil_tile_on<wg::this_sm>;
  using layout = stencil_layout<tile>;
  float* const values = layout::get<tile_with_halo>(layout::dynamic_memory());
  for (long long first = 1LL * blockIdx.x * tile; first < n; first += 1LL * gridDim.x * tile) {
    for (int i = static_cast<int>(threadIdx.x); i < tile + 2 * radius; i += block_threads) {
      long long const at = first + i - radius;
      values[i] = at >= 0 && at < n ? in[at] : 0.0f;
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < tile && first + i < n; i += block_threads) {
      float sum = 0.0f;
#pragma unroll
      for (int j = 0; j <= 2 * radius; ++j) sum += values[i + j];
      out[first + i] = sum / (2 * radius + 1);
    }
    __syncthreads();
  }
}

namespace {

bool is_correct(int n) {
  std::vector<float> in(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.25f * static_cast<float>(i % 97);
  examples::device_buffer<float> const device_in(in);
  examples::device_buffer<float> const device_out(in.size());
  dim3 grid;
  examples::check(wg::resident_grid<stencil_contract>(stencil, grid));
  grid.x = std::min(grid.x, 16u);  // so few that a block processes several tiles on every GPU
  examples::check(wg::launch<stencil_contract>(stencil, grid, nullptr, n, device_in.data(), device_out.data()));
  std::vector<float> const out = device_out.to_host();
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = std::max(i - radius, 0); j <= std::min(i + radius, n - 1); ++j) sum += in[static_cast<std::size_t>(j)];
    double const expected = sum / (2 * radius + 1);
    if (!(std::abs(out[static_cast<std::size_t>(i)] - expected) <= 1e-4)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("stencil", [] { return is_correct(1) && is_correct(14337) && is_correct(1000003); });
}
