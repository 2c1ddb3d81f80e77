// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "fake_runtime.hpp"

#include <atomic>

fake_runtime runtime;

namespace {

/// Protects `runtime`. The thread sanitizer does not see this lock, because this file is compiled without it. A mutex
/// would order the threads of a test, and hide that warpguard itself does not.
std::atomic_flag guard = ATOMIC_FLAG_INIT;

class lock {
 public:
  explicit lock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  lock(lock const&) = delete;
  ~lock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

}  // namespace

extern "C" {

cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  lock const locked(guard);
  *device = runtime.device;
  return runtime.on_device;
}

cudaError_t CUDARTAPI cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  lock const locked(guard);
  ++runtime.device_queries;
  int const capability = device < 16 ? runtime.capability[device] : 90;
  fake_limits const& limits = runtime.limits;
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor: *value = capability / 10; break;
    case cudaDevAttrComputeCapabilityMinor: *value = capability % 10; break;
    case cudaDevAttrMultiProcessorCount: *value = runtime.sms; break;
    case cudaDevAttrMaxThreadsPerBlock: *value = limits.threads_per_block; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = limits.threads_per_sm; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = limits.blocks_per_sm; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = limits.registers_per_sm; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = limits.registers_per_block; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = limits.shared_bytes_per_sm; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = limits.shared_bytes_per_block; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = limits.reserved_bytes; break;
    case cudaDevAttrClusterLaunch: *value = runtime.launches_clusters; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = runtime.opt_in[device < 16 ? device : 0]; break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
  lock const locked(guard);
  ++runtime.attribute_queries;
  attributes->ptxVersion = runtime.compiled_for;
  attributes->binaryVersion = runtime.compiled_for;
  attributes->maxThreadsPerBlock = runtime.kernel_threads;
  attributes->numRegs = runtime.kernel_registers;
  attributes->preferredShmemCarveout = runtime.kernel_carveout;
  attributes->nonPortableClusterSizeAllowed = runtime.cluster_opt_ins > 0 ? runtime.allows_nonportable : 0;
  attributes->requiredClusterWidth = static_cast<int>(runtime.kernel_cluster.x);
  attributes->requiredClusterHeight = static_cast<int>(runtime.kernel_cluster.y);
  attributes->requiredClusterDepth = static_cast<int>(runtime.kernel_cluster.z);
  attributes->sharedSizeBytes = static_cast<size_t>(runtime.kernel_static_bytes);
  return runtime.on_query;
}

cudaError_t CUDARTAPI cudaFuncSetAttribute(void const*, cudaFuncAttribute attribute, int value) {
  lock const locked(guard);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    ++runtime.opt_in_calls;
    runtime.opt_in_bytes = value;
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed && value == 1) ++runtime.cluster_opt_ins;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) runtime.carveout = value;
  return runtime.on_opt_in;
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int threads,
                                                                    size_t bytes) {
  lock const locked(guard);
  ++runtime.occupancy_queries;
  runtime.occupancy_threads = threads;
  runtime.occupancy_bytes = bytes;
  *blocks = runtime.resident_blocks;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  lock const locked(guard);
  *version = runtime.driver_version;
  return cudaSuccess;
}

#if CUDART_VERSION >= 12030
cudaError_t CUDARTAPI cudaFuncGetName(char const** name, void const*) {
  *name = "name_of_the_kernel";
  return cudaSuccess;
}
#endif

#if CUDART_VERSION >= 12040
cudaError_t CUDARTAPI cudaFuncGetParamInfo(void const*, size_t index, size_t* offset, size_t* size) {
  lock const locked(guard);
  ++runtime.parameter_queries;
  if (runtime.on_parameters != cudaSuccess) return runtime.on_parameters;
  *offset = 0;
  if (index < 2 && index < static_cast<size_t>(runtime.kernel_parameters)) {
    *size = index == 0 ? sizeof(int) : sizeof(float);
    return cudaSuccess;
  }
  runtime.last_error = cudaErrorInvalidValue;
  return cudaErrorInvalidValue;
}
#endif

cudaError_t CUDARTAPI cudaPeekAtLastError() {
  lock const locked(guard);
  return runtime.last_error;
}

cudaError_t CUDARTAPI cudaGetLastError() {
  lock const locked(guard);
  cudaError_t const error = runtime.last_error;
  runtime.last_error = cudaSuccess;
  return error;
}

cudaError_t CUDARTAPI cudaOccupancyMaxActiveClusters(int* clusters, void const*, cudaLaunchConfig_t const* config) {
  lock const locked(guard);
  auto const& shape = config->attrs[0].val.clusterDim;
  runtime.occupancy_cluster = dim3(shape.x, shape.y, shape.z);
  *clusters = runtime.resident_clusters;
  return runtime.on_clusters;
}

cudaError_t CUDARTAPI cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void const*, int, int) {
  lock const locked(guard);
  *bytes = runtime.available_dynamic_bytes;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* function, void** arguments) {
  lock const locked(guard);
  ++runtime.launches;
  runtime.config = *config;
  runtime.function = function;
  runtime.cluster = dim3(0, 0, 0);
  runtime.cooperative = false;
  runtime.programmatic = false;
  runtime.launch_carveout = -1;
  runtime.attributes.clear();
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    cudaLaunchAttribute& attribute = config->attrs[i];
    runtime.attributes.push_back(attribute);
#if CUDART_VERSION >= 12050
    if (attribute.id == cudaLaunchAttributePreferredSharedMemoryCarveout) {
      runtime.launch_carveout = static_cast<int>(attribute.val.sharedMemCarveout);
    }
#endif
#if CUDART_VERSION >= 12040
    if (attribute.id == cudaLaunchAttributeDeviceUpdatableKernelNode) {
      attribute.val.deviceUpdatableKernelNode.devNode = reinterpret_cast<cudaGraphDeviceNode_t>(0x50);
    }
#endif
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      runtime.cluster = dim3(attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z);
    }
    if (attribute.id == cudaLaunchAttributeCooperative) runtime.cooperative = attribute.val.cooperative == 1;
    if (attribute.id == cudaLaunchAttributeProgrammaticStreamSerialization) {
      runtime.programmatic = attribute.val.programmaticStreamSerializationAllowed == 1;
    }
  }
  if (runtime.kernel_parameters > 0) runtime.first_argument = *static_cast<int*>(arguments[0]);
  if (runtime.kernel_parameters > 1) runtime.second_argument = *static_cast<float*>(arguments[1]);
  return runtime.on_launch;
}

}  // extern "C"
