// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A CUDA runtime whose functions do nothing, so that launch_path.cpp measures only the work of launch() itself.

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
cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int, size_t) {
  *blocks = 2;
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
#if CUDART_VERSION >= 12030
cudaError_t CUDARTAPI cudaFuncGetName(char const** name, void const*) {
  *name = "";
  return cudaSuccess;
}
#endif
cudaError_t CUDARTAPI cudaLaunchKernelExC(cudaLaunchConfig_t const*, void const*, void**) { return cudaSuccess; }

}  // extern "C"
