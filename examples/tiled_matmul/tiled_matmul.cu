// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Runs tiled_matmul with tiles of 16 and 32, in static and in dynamic shared memory. The tile is a template parameter
/// of the kernel and of its contract, so the block, the grid and the shared memory always match it.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: tiled_matmul<16>   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: tiled_matmul<16>   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_75: tiled_matmul<32>   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: tiled_matmul<32>   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_75: tiled_matmul_dynamic<16>   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: tiled_matmul_dynamic<16>   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_75: tiled_matmul_dynamic<32>   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: tiled_matmul_dynamic<32>   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-

#include "tiled_matmul.cuh"

#include <cmath>
#include <limits>
#include <vector>

#include "../device.hpp"

namespace {

using kernel = void (*)(int m, int n, int k, float const* a, float const* b, float* c);

/// A row-major matrix.
struct matrix {
  int rows;
  int columns;
  std::vector<float> values = std::vector<float>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));

  float operator()(int row, int column) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
};

/// Returns a matrix with values from -1 to 1.
matrix make_matrix(int rows, int columns, std::size_t period) {
  matrix result{rows, columns};
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = 2.0f * static_cast<float>(i % period) / static_cast<float>(period - 1) - 1.0f;
  }
  return result;
}

/// Whether c = a * b. Each of the k steps for an element rounds at most twice, relative to the sum of the magnitudes.
bool is_product(matrix const& c, matrix const& a, matrix const& b) {
  double const tolerance = 2.0 * a.columns * std::numeric_limits<float>::epsilon();
  for (int row = 0; row < c.rows; ++row) {
    for (int column = 0; column < c.columns; ++column) {
      double expected = 0.0;
      double magnitude = 0.0;
      for (int l = 0; l < a.columns; ++l) {
        double const product = 1.0 * a(row, l) * b(l, column);
        expected += product;
        magnitude += std::abs(product);
      }
      if (!(std::abs(c(row, column) - expected) <= tolerance * magnitude)) return false;
    }
  }
  return true;
}

template <class Contract>
bool is_correct(kernel multiply, int tile, int m, int n, int k) {
  matrix const a = make_matrix(m, k, 101);
  matrix const b = make_matrix(k, n, 37);
  matrix c{m, n};
  examples::device_buffer<float> const device_a(a.values);
  examples::device_buffer<float> const device_b(b.values);
  examples::device_buffer<float> const device_c(c.values);

  dim3 const grid(examples::blocks_for(n, tile), examples::blocks_for(m, tile));
  examples::check(
      wg::launch<Contract>(multiply, grid, nullptr, m, n, k, device_a.data(), device_b.data(), device_c.data()));
  c.values = device_c.to_host();
  return is_product(c, a, b);
}

template <int Tile>
bool both_are_correct(int m, int n, int k) {
  return is_correct<tiled_matmul_contract<Tile>>(tiled_matmul<Tile>, Tile, m, n, k) &&
         is_correct<tiled_matmul_dynamic_contract<Tile>>(tiled_matmul_dynamic<Tile>, Tile, m, n, k);
}

template <int Tile>
bool all_sizes_are_correct() {
  return both_are_correct<Tile>(1, 1, 1) && both_are_correct<Tile>(Tile, Tile, Tile) &&
         both_are_correct<Tile>(33, 65, 17) && both_are_correct<Tile>(129, 70, 95);
}

}  // namespace

int main() {
  return examples::run("tiled_matmul", [] { return all_sizes_are_correct<16>() && all_sizes_are_correct<32>(); });
}
