// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The launch that a contract describes: its block, its dynamic shared memory with the opt-in, its carve-out and
/// cluster. What the contract does not know, the grid and the stream, is the caller's. What has to be right before a
/// launch is in detail/prepare.cuh. Needs CUDA 11.8 or later; cudaKernel_t 12.1.

#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "launch_refusal.cuh"
#include "detail/prepare.cuh"
#include "detail/prepared_kernels.cuh"
#include "../contract/guard.hpp"

namespace warpguard {

/// What the caller says about a launch besides grid and stream.
struct launch_options {
  dim3 grid;  ///< blocks, at least 1 in each dimension
  cudaStream_t stream = nullptr;
  bool cooperative = false;  ///< all blocks are resident at once, and may wait for each other (grid.sync())
  /// May start before the kernel before it in the stream has ended (9.0 and later); the kernel itself waits, with
  /// cudaGridDependencySynchronize().
  bool programmatic_dependent_launch = false;
};

/// Why this host thread's last launch(), prepare(), resident_grid() or verify() returned an error.
inline launch_refusal why_refused() { return detail::refusal_of_this_thread; }

/// After cudaDeviceReset() or cudaLibraryUnload(), and before launches in another context of a device: there kernels
/// have not the attributes that they were given, so each is prepared again.
inline void forget_prepared_kernels() { detail::current_epoch.fetch_add(1); }

namespace detail {

/// A kernel's parameter, deduced from the kernel alone: arguments convert to it at the caller's line.
template <class Parameter>
struct parameter {
  using type = Parameter;
};

/// The contract's block and cluster as the runtime takes them.
inline dim3 block_shape(contract_terms const& terms) {
  return dim3(static_cast<unsigned>(terms.x), static_cast<unsigned>(terms.y), static_cast<unsigned>(terms.z));
}
inline dim3 cluster_shape(contract_terms const& terms) {
  return dim3(static_cast<unsigned>(terms.cluster_x), static_cast<unsigned>(terms.cluster_y),
              static_cast<unsigned>(terms.cluster_z));
}

inline launch_refusal judge_grid(dim3 grid, dim3 cluster) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return launch_refusal::empty_grid;
  if (grid.x > 2147483647u || grid.y > 65535u || grid.z > 65535u) return launch_refusal::grid_too_large;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return launch_refusal::partial_cluster;
  }
  return launch_refusal::none;
}

/// The runtime's description of a launch; `attributes` has room for three.
inline cudaLaunchConfig_t describe_launch(contract_terms const& terms, launch_options const& options,
                                          cudaLaunchAttribute* attributes) {
  cudaLaunchConfig_t config{};
  config.gridDim = options.grid;
  config.blockDim = block_shape(terms);
  config.dynamicSmemBytes = static_cast<size_t>(terms.dynamic_shared_memory);
  config.stream = options.stream;
  config.attrs = attributes;
  if (terms.cluster_size() > 1) {
    dim3 const cluster = cluster_shape(terms);
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
  }
  if (options.cooperative) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  if (options.programmatic_dependent_launch) {
    cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
  }
  return config;
}

template <class Contract, class Targets>
cudaError_t launch_function(void const* kernel, launch_options const& options, void** arguments) {
  static_assert(guarantee<Contract>);
  contract_terms const* said = nullptr;
  cudaError_t status = find_terms<Contract, Targets>(kernel, said);
  if (status != cudaSuccess) return status;
  contract_terms const& terms = *said;
  if (launch_refusal const why = judge_grid(options.grid, cluster_shape(terms)); why != launch_refusal::none) {
    return refuse(why, cudaErrorInvalidConfiguration);
  }
  cudaLaunchAttribute attributes[3] = {};
  cudaLaunchConfig_t const config = describe_launch(terms, options, attributes);
  status = cudaLaunchKernelExC(&config, kernel, arguments);
  // The runtime looks before it launches; its driver knows best what is resident, and asking it first would cost a
  // query.
  if (status == cudaErrorCooperativeLaunchTooLarge) return refuse(launch_refusal::cooperative_grid, status);
  return answer(status);
}

template <class Contract, class Targets>
cudaError_t prepare_kernel(void const* kernel) {
  static_assert(guarantee<Contract>);
  contract_terms const* terms = nullptr;
  return find_terms<Contract, Targets>(kernel, terms);
}

/// Blocks of the kernel that the driver holds at once on the current device.
template <class Contract, class Targets>
cudaError_t count_resident(void const* kernel, dim3& grid) {
  static_assert(guarantee<Contract>);
  terms_on_device here;
  cudaError_t status = find_terms_on_device<Contract, Targets>(kernel, here);
  if (status != cudaSuccess) return status;
  contract_terms const& terms = *here.terms;
  int sms = 0;
  int blocks = 0;
  status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, here.device);
  if (status != cudaSuccess) return answer(status);
  status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, terms.threads(),
                                                         static_cast<size_t>(terms.dynamic_shared_memory));
  if (status != cudaSuccess) return answer(status);
  if (blocks < 1 || blocks < terms.blocks_required(*find_architecture(here.compute_capability))) {
    return refuse(launch_refusal::residency, cudaErrorLaunchOutOfResources);
  }
  int together = blocks * sms;
  dim3 const cluster = cluster_shape(terms);
  if (terms.cluster_size() > 1) {
    cudaLaunchAttribute attributes[3] = {};
    cudaLaunchConfig_t const config = describe_launch(terms, {cluster}, attributes);
    status = cudaOccupancyMaxActiveClusters(&together, kernel, &config);
    if (status != cudaSuccess) return answer(status);
    if (together < 1) return refuse(launch_refusal::residency, cudaErrorLaunchOutOfResources);
  }
  grid = dim3(static_cast<unsigned>(together) * cluster.x, cluster.y, cluster.z);
  return cudaSuccess;
}

}  // namespace detail

/// Launches `kernel` in blocks of the contract's shape, with the contract's dynamic shared memory and cluster, on the
/// current device. Checks the contract on every target when it is compiled. The first launch of a kernel on a device
/// checks kernel and device, opts in to what the contract needs and prefers its carve-out; later ones ask the runtime
/// nothing but the current device. `Targets` is left to its default, what this file is built for. Returns what the
/// runtime says, or the error that why_refused() explains; like every launch, it does not wait for the kernel. May be
/// called from any thread; throws and allocates nothing.
template <class Contract, class Targets = detail::target_architectures, class... Parameter>
cudaError_t launch(void (*kernel)(Parameter...), launch_options const& options,
                   typename detail::parameter<Parameter>::type... argument) {
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(reinterpret_cast<void const*>(kernel), options, arguments);
}

/// The same with a grid and a stream alone.
template <class Contract, class Targets = detail::target_architectures, class... Parameter>
cudaError_t launch(void (*kernel)(Parameter...), dim3 grid, cudaStream_t stream,
                   typename detail::parameter<Parameter>::type... argument) {
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(reinterpret_cast<void const*>(kernel), {grid, stream}, arguments);
}

/// What the first launch does before it launches: for programs whose first launch is to be as short as any other, or is
/// captured into a graph. For the current device.
template <class Contract, class Targets = detail::target_architectures, class... Parameter>
cudaError_t prepare(void (*kernel)(Parameter...)) {
  return detail::prepare_kernel<Contract, Targets>(reinterpret_cast<void const*>(kernel));
}

/// The grid with which a persistent or cooperative kernel fills the current device: blocks per SM times SMs, in x, as
/// the driver counts them; where the contract has clusters, as many as are active at once, beside each other in x, and
/// as many blocks in y and z as a cluster has. An error where the driver holds fewer blocks than the contract promises.
template <class Contract, class Targets = detail::target_architectures, class... Parameter>
cudaError_t resident_grid(void (*kernel)(Parameter...), dim3& grid) {
  return detail::count_resident<Contract, Targets>(reinterpret_cast<void const*>(kernel), grid);
}

#if CUDART_VERSION >= 12010
/// The same for kernels of a cudaLibrary_t. Nobody knows their parameters: the arguments must have their types.
template <class Contract, class Targets = detail::target_architectures, class... Argument>
cudaError_t launch(cudaKernel_t kernel, launch_options const& options, Argument... argument) {
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(static_cast<void const*>(kernel), options, arguments);
}
template <class Contract, class Targets = detail::target_architectures, class... Argument>
cudaError_t launch(cudaKernel_t kernel, dim3 grid, cudaStream_t stream, Argument... argument) {
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(static_cast<void const*>(kernel), {grid, stream}, arguments);
}
template <class Contract, class Targets = detail::target_architectures>
cudaError_t prepare(cudaKernel_t kernel) {
  return detail::prepare_kernel<Contract, Targets>(static_cast<void const*>(kernel));
}
template <class Contract, class Targets = detail::target_architectures>
cudaError_t resident_grid(cudaKernel_t kernel, dim3& grid) {
  return detail::count_resident<Contract, Targets>(static_cast<void const*>(kernel), grid);
}
#endif

}  // namespace warpguard
