// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The functions of the CUDA runtime for a GPU that is emulated. Its limits are those of warpguard's table, and blocks
/// are resident as warpguard's model says: the tests of these are elsewhere.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <warpguard/core.hpp>

#include "emulator.hpp"
#include "shims/cuda_runtime.h"

namespace {

/// Few SMs, so that persistent and cooperative kernels have few threads.
constexpr int sms = 2;
/// What every kernel takes; ptxas alone knows better.
constexpr int registers = 32;

warpguard::architecture const& gpu() {
  warpguard::architecture const* const found = warpguard::find_architecture(emulator::compute_capability());
  if (found == nullptr) emulator::fail("the table lacks the emulated compute capability");
  return *found;
}

/// The dynamic shared memory that kernels have opted in to, bytes.
std::map<void const*, int> opted_in;

int allowed_bytes(void const* kernel) {
  auto const found = opted_in.find(kernel);
  return found == opted_in.end() ? gpu().max_shared_per_block_default : found->second;
}

int resident_blocks(int threads, std::size_t dynamic_bytes) {
  return warpguard::occupancy_of(gpu(), {threads, registers, 0, static_cast<int>(dynamic_bytes)}).blocks_per_sm;
}

emulator::extent extent_of(dim3 shape) { return {shape.x, shape.y, shape.z}; }

emulator::launch read(cudaLaunchConfig_t const& config) {
  emulator::launch what;
  what.grid = extent_of(config.gridDim);
  what.block = extent_of(config.blockDim);
  what.dynamic_bytes = config.dynamicSmemBytes;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    cudaLaunchAttributeValue const& value = config.attrs[i].val;
    switch (config.attrs[i].id) {
      case cudaLaunchAttributeClusterDimension:
        what.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        break;
      case cudaLaunchAttributeCooperative: what.is_cooperative = value.cooperative != 0; break;
      default: break;  // changes only when the kernel starts
    }
  }
  return what;
}

/// Of a launch that the runtime refused.
cudaError_t last_error = cudaSuccess;

bool divides(emulator::extent part, emulator::extent whole) {
  return part.count() > 0 && whole.x % part.x == 0 && whole.y % part.y == 0 && whole.z % part.z == 0;
}

}  // namespace

char const* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaSuccess: return "no error";
    case cudaErrorInvalidConfiguration: return "invalid configuration argument";
    case cudaErrorInvalidDeviceFunction: return "invalid device function";
    case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
    case cudaErrorNotSupported: return "operation not supported";
    default: return "another error";
  }
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  properties->major = emulator::compute_capability() / 10;
  properties->minor = emulator::compute_capability() % 10;
  properties->multiProcessorCount = sms;
  std::snprintf(properties->name, sizeof(properties->name), "a CPU in place of %d.%d", properties->major,
                properties->minor);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *value = emulator::compute_capability() / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = emulator::compute_capability() % 10; break;
    case cudaDevAttrMultiProcessorCount: *value = sms; break;
    case cudaDevAttrMaxThreadsPerBlock: *value = gpu().max_threads_per_block; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = gpu().max_threads_per_sm; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = gpu().max_blocks_per_sm; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = gpu().registers_per_sm; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = gpu().max_registers_per_block; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = gpu().shared_memory_per_sm; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = gpu().reserved_shared_per_block; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = gpu().max_shared_per_block_default; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = gpu().max_shared_per_block_optin; break;
    case cudaDevAttrClusterLaunch: *value = emulator::compute_capability() >= 90; break;
    case cudaDevAttrCooperativeLaunch: *value = 1; break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

// Kernels have ended when a launch returns.
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

cudaError_t cudaMalloc(void** data, size_t bytes) {
  *data = emulator::allocate(bytes);
  return cudaSuccess;
}

cudaError_t cudaFree(void* data) {
  std::free(data);
  return cudaSuccess;
}

cudaError_t cudaMemset(void* data, int value, size_t bytes) {
  std::memset(data, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, void const* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* kernel) {
  if (!emulator::knows(kernel)) return cudaErrorInvalidDeviceFunction;
  *attributes = {};
  attributes->maxThreadsPerBlock = gpu().max_threads_per_block;
  attributes->numRegs = registers;
  attributes->ptxVersion = emulator::compiled_for();
  attributes->binaryVersion = emulator::compiled_for();
  attributes->preferredShmemCarveout = -1;
  attributes->maxDynamicSharedSizeBytes = allowed_bytes(kernel);
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value > gpu().max_shared_per_block_optin) return cudaErrorInvalidValue;
  opted_in[kernel] = value;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int threads, size_t bytes) {
  *blocks = resident_blocks(threads, bytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const*, cudaLaunchConfig_t const* config) {
  emulator::launch const what = read(*config);
  int const blocks = sms * resident_blocks(static_cast<int>(what.block.count()), what.dynamic_bytes);
  int const size = static_cast<int>(what.cluster.count());
  *clusters = blocks > size ? blocks / size : 1;
  return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void const* kernel, int, int) {
  *bytes = static_cast<size_t>(allowed_bytes(kernel));
  return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** arguments) {
  if (!emulator::knows(kernel)) return last_error = cudaErrorInvalidDeviceFunction;
  emulator::launch what = read(*config);
  what.kernel = kernel;
  what.arguments = arguments;
  bool const fits = what.block.count() > 0 && what.grid.count() > 0 &&
                    static_cast<int>(what.block.count()) <= gpu().max_threads_per_block &&
                    static_cast<int>(what.dynamic_bytes) <= allowed_bytes(kernel) && divides(what.cluster, what.grid);
  if (!fits) return last_error = cudaErrorInvalidConfiguration;
  int const resident = sms * resident_blocks(static_cast<int>(what.block.count()), what.dynamic_bytes);
  if (what.is_cooperative && static_cast<int>(what.grid.count()) > resident)
    return last_error = cudaErrorCooperativeLaunchTooLarge;
  emulator::run(what);
  return cudaSuccess;
}
