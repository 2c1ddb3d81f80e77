// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

__global__ void other_kernel(int* x) { x[threadIdx.x] = 0; }
