// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(kernel_contract) kernel(char* x) {
  __shared__ char all[SHARED];
  for (int i = 0; i < SHARED / 64; ++i) all[64 * i + threadIdx.x] = x[64 * i + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < SHARED / 64; ++i) x[64 * i + 63 - threadIdx.x] = all[64 * i + threadIdx.x];
}
