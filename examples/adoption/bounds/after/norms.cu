// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: norms() computes the length of each row of 32 columns, a row in each thread. The contract has the numbers of
/// the launch bounds, and for smaller SMs the numbers that fit there.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: norms                      maxntid=512,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: norms         maxntid=512,1,1 minnctapersm=3 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: norms         maxntid=512,1,1 minnctapersm=4 maxclusterrank=-

#include <warpguard/launch.cuh>

#include "norms_contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(norms_contract)
    norms(int rows, float const* __restrict__ values, float* __restrict__ out) {
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
  return wg::launch<norms_contract>(norms, wg::for_items(rows), stream, rows, values, out);
}
