// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The kernels of tiled_matmul, c = a * b for row-major matrices of m x k and k x n. A block computes one tile of c,
/// and keeps one tile of a and one of b in shared memory. The two kernels differ only in what sets the size of the
/// shared memory: the declaration or the launch. Contracts: tiled_matmul_contract.hpp.

#pragma once

#include <warpguard/launch.cuh>

#include "tiled_matmul_contract.hpp"

/// The work of one block. Matrices need not be multiples of the tile: elements outside of them count as 0.
template <int Tile>
__device__ void multiply_tiles(matmul_tiles<Tile>& shared, int m, int n, int k, float const* a, float const* b,
                               float* c) {
  constexpr int edge = matmul_block_edge;
  constexpr int per_thread = Tile / edge;  // a thread computes per_thread x per_thread elements
  int const x = static_cast<int>(threadIdx.x);
  int const y = static_cast<int>(threadIdx.y);
  int const first_row = static_cast<int>(blockIdx.y) * Tile;
  int const first_column = static_cast<int>(blockIdx.x) * Tile;

  float sum[per_thread][per_thread] = {};
  for (int step = 0; step < k; step += Tile) {
    for (int i = y; i < Tile; i += edge) {
      for (int j = x; j < Tile; j += edge) {
        int const row_of_a = first_row + i;
        int const column_of_a = step + j;
        int const row_of_b = step + i;
        int const column_of_b = first_column + j;
        shared.a[i][j] = row_of_a < m && column_of_a < k ? a[1LL * row_of_a * k + column_of_a] : 0.0f;
        shared.b[i][j] = row_of_b < k && column_of_b < n ? b[1LL * row_of_b * n + column_of_b] : 0.0f;
      }
    }
    __syncthreads();
    for (int l = 0; l < Tile; ++l) {
#pragma unroll
      for (int i = 0; i < per_thread; ++i) {
#pragma unroll
        for (int j = 0; j < per_thread; ++j) sum[i][j] += shared.a[y + i * edge][l] * shared.b[l][x + j * edge];
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
      if (row < m && column < n) c[1LL * row * n + column] = sum[i][j];
    }
  }
}

template <int Tile>
__global__ void WARPGUARD_LAUNCH_BOUNDS(tiled_matmul_contract<Tile>)
    tiled_matmul(int m, int n, int k, float const* a, float const* b, float* c) {
  __shared__ matmul_tiles<Tile> shared;
  multiply_tiles(shared, m, n, k, a, b, c);
}

template <int Tile>
__global__ void WARPGUARD_LAUNCH_BOUNDS(tiled_matmul_dynamic_contract<Tile>)
    tiled_matmul_dynamic(int m, int n, int k, float const* a, float const* b, float* c) {
  extern __shared__ float4 dynamic_shared_memory[];  // float4, because of its alignment
  multiply_tiles(*reinterpret_cast<matmul_tiles<Tile>*>(dynamic_shared_memory), m, n, k, a, b, c);
}
