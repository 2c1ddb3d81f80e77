// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "contract.hpp"

__device__ void turn(char* x, char* all);

__global__ void WARPGUARD_LAUNCH_BOUNDS(kernel_contract) kernel(char* x) {
  __shared__ char all[SHARED];
  turn(x, all);
}
