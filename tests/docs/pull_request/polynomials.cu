// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The kernel of the pull request that README shows, which raises TERMS from 24 to 32. before.lock and after.lock are
/// the locks of both; the test docs/pull_request compiles the kernel and compares.

__global__ void __launch_bounds__(256) evaluate(int n, float const* coefficients, float const* x, float* y) {
  float mine[TERMS];
#pragma unroll
  for (int i = 0; i < TERMS; ++i) mine[i] = coefficients[i];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    float sum = 0;
#pragma unroll
    for (int j = TERMS - 1; j >= 0; --j) sum = sum * x[i] + mine[j];
    y[i] = sum;
  }
}
