// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: the block size is chosen when the file is compiled, for each architecture, and the grid of reverse_tiles()
/// comes from its contract and the driver. The launch and the grid use one number of bytes.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: scale                        maxntid=1024,1,1 minnctapersm=1 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: scale           maxntid=1024,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: scale           maxntid=768,1,1 minnctapersm=2 maxclusterrank=-
// ptx: reverse_tiles                      maxntid=256,1,1 minnctapersm=2 maxclusterrank=-

#include <warpguard/launch.cuh>

#include "scale_contracts.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) scale(int n, float factor, float* values) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] *= factor;
}

__global__ void WARPGUARD_LAUNCH_BOUNDS(reverse_tiles_contract) reverse_tiles(int tiles, float const* in, float* out) {
  extern __shared__ float values[];
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
    float const* const from = in + 1LL * tile * tile_size;
    float* const to = out + 1LL * tile * tile_size;
    for (int i = static_cast<int>(threadIdx.x); i < tile_size; i += 256) values[i] = from[i];
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < tile_size; i += 256) to[i] = values[tile_size - 1 - i];
    __syncthreads();
  }
}

cudaError_t scale_all(int n, float factor, float* values, cudaStream_t stream) {
  return wg::launch<scale_contract>(scale, wg::for_items(n), stream, n, factor, values);
}

cudaError_t reverse_all(int tiles, float const* in, float* out, cudaStream_t stream) {
  dim3 grid;
  cudaError_t const status = wg::resident_grid<reverse_tiles_contract>(reverse_tiles, grid);
  if (status != cudaSuccess) return status;
  return wg::launch<reverse_tiles_contract>(reverse_tiles, grid, stream, tiles, in, out);
}
