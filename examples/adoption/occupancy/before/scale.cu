// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Before: the host asks the runtime for a block size and for a grid. scale() gets the block with the highest
/// occupancy. reverse_tiles() is persistent: it gets as many blocks as are resident. Its grid is computed without the
/// 32 KiB of dynamic shared memory of its launch, so half of its blocks wait on 8.0.

// The launch bounds in the PTX; a test checks these lines:
// ptx: scale          maxntid=- minnctapersm=- maxclusterrank=-
// ptx: reverse_tiles  maxntid=- minnctapersm=- maxclusterrank=-

#include <cuda_runtime.h>

constexpr int tile_size = 8192;

__global__ void scale(int n, float factor, float* values) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] *= factor;
}

__global__ void reverse_tiles(int tiles, float const* in, float* out) {
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
  int grid = 0;
  int block = 0;
  cudaError_t const status = cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale);
  if (status != cudaSuccess) return status;
  scale<<<(n + block - 1) / block, block, 0, stream>>>(n, factor, values);
  return cudaGetLastError();
}

cudaError_t reverse_all(int tiles, float const* in, float* out, cudaStream_t stream) {
  int device = 0;
  int sms = 0;
  int blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaError_t const status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reverse_tiles, 256, 0);
  if (status != cudaSuccess) return status;
  reverse_tiles<<<blocks * sms, 256, tile_size * sizeof(float), stream>>>(tiles, in, out);
  return cudaGetLastError();
}
