// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: multiply() multiplies pairs of 4 x 4 matrices. Its launch bounds and its block come from its contract.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: multiply                     maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: multiply        maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: multiply        maxntid=256,1,1 minnctapersm=8 maxclusterrank=-

#include <warpguard/launch.cuh>

#include "multiply_contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(multiply_contract)
    multiply(int n, float4 const* __restrict__ a, float4 const* __restrict__ b, float4* __restrict__ c) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float4 right[4];
  for (int k = 0; k < 4; ++k) right[k] = b[4 * i + k];
  for (int row = 0; row < 4; ++row) {
    float4 const left = a[4 * i + row];
    float4 sum;
    sum.x = left.x * right[0].x + left.y * right[1].x + left.z * right[2].x + left.w * right[3].x;
    sum.y = left.x * right[0].y + left.y * right[1].y + left.z * right[2].y + left.w * right[3].y;
    sum.z = left.x * right[0].z + left.y * right[1].z + left.z * right[2].z + left.w * right[3].z;
    sum.w = left.x * right[0].w + left.y * right[1].w + left.z * right[2].w + left.w * right[3].w;
    c[4 * i + row] = sum;
  }
}

cudaError_t multiply_all(int n, float4 const* a, float4 const* b, float4* c, cudaStream_t stream) {
  return wg::launch<multiply_contract>(multiply, wg::for_items(n), stream, n, a, b, c);
}
