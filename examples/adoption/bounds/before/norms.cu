// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Before: norms() computes the length of each row of 32 columns, a row in each thread. The launch bounds were tuned on
/// an A100, whose SMs hold 4 blocks of 512 threads. No SM of 7.5, 8.6, 8.9 or 12.0 does, so ptxas ignores them there.

// The launch bounds in the PTX; a test checks this line:
// ptx: norms    maxntid=512,1,1 minnctapersm=4 maxclusterrank=-

#include <cuda_runtime.h>

__global__ void __launch_bounds__(512, 4) norms(int rows, float const* __restrict__ values, float* __restrict__ out) {
  int const row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0.0f;
#pragma unroll
  for (int column = 0; column < 32; ++column) {
    float const value = values[static_cast<long long>(column) * rows + row];
    sum += value * value;
  }
  out[row] = sqrtf(sum);
}

cudaError_t norms_of_rows(int rows, float const* values, float* out, cudaStream_t stream) {
  norms<<<(rows + 511) / 512, 512, 0, stream>>>(rows, values, out);
  return cudaGetLastError();
}
