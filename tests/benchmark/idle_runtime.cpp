// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The calls of the CUDA runtime that launch() makes, doing nothing: what remains of a launch is its caller's own work.

#include <cuda_runtime_api.h>

extern "C" {

cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrComputeCapabilityMajor         ? 9
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 232448
                                                                  : 0;
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
  *attributes = cudaFuncAttributes{};
  attributes->ptxVersion = 90;
  attributes->maxThreadsPerBlock = 1024;
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaFuncSetAttribute(void const*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t CUDARTAPI cudaLaunchKernelExC(cudaLaunchConfig_t const*, void const*, void**) { return cudaSuccess; }

}  // extern "C"
