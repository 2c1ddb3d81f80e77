// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Divides each row of a matrix by its root mean square; a block for each row.

#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) rms_norm(int columns, float const* in, float* out) {
  __shared__ float partial[256];
  float const* const row = in + 1LL * blockIdx.x * columns;
  float* const result = out + 1LL * blockIdx.x * columns;
  float sum = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += 256) sum += row[i] * row[i];
  partial[threadIdx.x] = sum;
  for (int lanes = 128; lanes > 0; lanes /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < lanes) partial[threadIdx.x] += partial[threadIdx.x + lanes];
  }
  __syncthreads();
  float const scale = rsqrtf(partial[0] / static_cast<float>(columns));
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += 256) result[i] = row[i] * scale;
}

cudaError_t rms_norm_of_rows(int rows, int columns, float const* in, float* out, cudaStream_t stream) {
  rms_norm<<<rows, 256, 0, stream>>>(columns, in, out);
  return cudaGetLastError();
}
