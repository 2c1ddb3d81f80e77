// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Causes warnings of nvcc, of the host compiler (in colours) and of ptxas. Part of no target.
__global__ void __launch_bounds__(128, 64) ignored(float* x) {
  int unused;
  x[threadIdx.x] = 1;
}

bool compared(unsigned a, int b) { return a < b; }
