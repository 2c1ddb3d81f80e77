// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints the GPU, its driver and the runtime, a fact on each line. The first four lines begin a record of launches.
/// Without a GPU that programs of this runtime can use, it prints the reason on one line, and its exit code is 77.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr int no_gpu = 77;

void check(char const* what, cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  check("device attribute", cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

}  // namespace

int main() {
  int driver = 0;
  int devices = 0;
  cudaDriverGetVersion(&driver);  // leaves 0 if there is no driver
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (driver == 0) {
    std::printf("no GPU: no NVIDIA driver is installed\n");
    return no_gpu;
  }
  if (status == cudaErrorInsufficientDriver) {
    std::printf("no GPU that these programs can use: the driver is for CUDA %d.%d, and they need %d.%d\n",
                driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    return no_gpu;
  }
  if (status == cudaErrorNoDevice) {
    std::printf("no GPU: the driver finds none\n");
    return no_gpu;
  }
  check("cudaGetDeviceCount", status);
  cudaDeviceProp properties{};
  check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
  std::printf("device %s\n", properties.name);
  std::printf("compute_capability %d\n", 10 * properties.major + properties.minor);
  std::printf("driver %d\n", driver);
  std::printf("sms %d\n", properties.multiProcessorCount);
  std::printf("runtime %d\n", CUDART_VERSION);
  std::printf("clock_khz %d\n", attribute(cudaDevAttrClockRate));
  std::printf("memory_clock_khz %d\n", attribute(cudaDevAttrMemoryClockRate));
  std::printf("memory_bytes %zu\n", properties.totalGlobalMem);
  return 0;
}
