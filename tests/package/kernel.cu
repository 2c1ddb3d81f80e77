// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/launch.cuh>

#include "contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) scale(float* values, float factor) {
  values[blockIdx.x * blockDim.x + threadIdx.x] *= factor;
}

cudaError_t run_scale(float* values, float factor, unsigned blocks, cudaStream_t stream) {
  return warpguard::launch<scale_contract>(scale, blocks, stream, values, factor);
}
