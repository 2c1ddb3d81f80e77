// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// two_tiles computes c = a * b for square row-major matrices. As in a textbook exercise, one `extern __shared__` array
/// is split into two tiles whose size depends on the GPU. The size is a constant in each compile pass. The host need
/// not know it, because blocks process several tiles in a loop, and the contract has the bytes of each GPU for the
/// launch. Contract: two_tiles_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: two_tiles   maxntid=256,1,1 minnctapersm=2 maxclusterrank=-

#include <cmath>
#include <limits>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "two_tiles_contract.hpp"

/// Computes the tile of c at (first_row, first_column). The matrices have n x n elements.
__device__ void multiply_tile(int first_row, int first_column, int n, float const* a, float const* b, float* c) {
  constexpr int tile = two_tiles_edge_on<wg::this_sm>;
  constexpr int edge = two_tiles_edge;
  constexpr int per_thread = tile / edge;  // a thread computes per_thread x per_thread elements
  using layout = two_tiles_layout<tile>;
  unsigned char* const memory = layout::dynamic_memory();
  float(*const tile_a)[tile] = layout::get<tile_of_a>(memory);
  float(*const tile_b)[tile] = layout::get<tile_of_b>(memory);
  int const x = static_cast<int>(threadIdx.x);
  int const y = static_cast<int>(threadIdx.y);

  float sum[per_thread][per_thread] = {};
  for (int step = 0; step < n; step += tile) {
    for (int i = y; i < tile; i += edge) {
      for (int j = x; j < tile; j += edge) {
        bool const in_a = first_row + i < n && step + j < n;
        bool const in_b = step + i < n && first_column + j < n;
        tile_a[i][j] = in_a ? a[1LL * (first_row + i) * n + step + j] : 0.0f;
        tile_b[i][j] = in_b ? b[1LL * (step + i) * n + first_column + j] : 0.0f;
      }
    }
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
#pragma unroll
      for (int i = 0; i < per_thread; ++i) {
#pragma unroll
        for (int j = 0; j < per_thread; ++j) sum[i][j] += tile_a[y + i * edge][k] * tile_b[k][x + j * edge];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < per_thread; ++i) {
#pragma unroll
    for (int j = 0; j < per_thread; ++j) {
      int const row = first_row + y + i * edge;
      int const column = first_column + x + j * edge;
      if (row < n && column < n) c[1LL * row * n + column] = sum[i][j];
    }
  }
}

__global__ void WARPGUARD_LAUNCH_BOUNDS(two_tiles_contract) two_tiles(int n, float const* a, float const* b, float* c) {
  constexpr int tile = two_tiles_edge_on<wg::this_sm>;
  int const tiles = (n - 1) / tile + 1;
  for (int i = static_cast<int>(blockIdx.x); i < tiles * tiles; i += static_cast<int>(gridDim.x)) {
    multiply_tile(i / tiles * tile, i % tiles * tile, n, a, b, c);
  }
}

namespace {

bool is_correct(int n) {
  auto const size = static_cast<std::size_t>(n);
  std::vector<float> a(size * size);
  std::vector<float> b(size * size);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = 0.02f * static_cast<float>(i % 101) - 1.0f;
    b[i] = 0.05f * static_cast<float>(i % 37) - 0.9f;
  }
  examples::device_buffer<float> const device_a(a);
  examples::device_buffer<float> const device_b(b);
  examples::device_buffer<float> const device_c(size * size);
  examples::check(wg::launch<two_tiles_contract>(two_tiles, dim3(7), nullptr, n, device_a.data(), device_b.data(),
                                                 device_c.data()));

  std::vector<float> const c = device_c.to_host();
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column < size; ++column) {
      double expected = 0.0;
      double magnitude = 0.0;
      for (std::size_t k = 0; k < size; ++k) {
        double const product = 1.0 * a[row * size + k] * b[k * size + column];
        expected += product;
        magnitude += std::abs(product);
      }
      double const tolerance = 2.0 * n * std::numeric_limits<float>::epsilon() * magnitude;
      if (!(std::abs(c[row * size + column] - expected) <= tolerance)) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("two_tiles",
                       [] { return is_correct(1) && is_correct(64) && is_correct(113) && is_correct(300); });
}
