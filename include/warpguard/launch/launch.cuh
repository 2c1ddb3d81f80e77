// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launches a kernel as its contract describes: block, dynamic shared memory with the opt-in, carve-out and cluster.
/// The caller gives the grid and the stream. detail/prepare.cuh does what only the first launch does. Needs CUDA 11.8
/// or later; cudaKernel_t needs 12.1.

#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "../contract/guarantee.hpp"
#include "../contract/targets.hpp"
#include "detail/launch_call.cuh"
#include "detail/prepare.cuh"
#include "guards.cuh"
#include "launch_refusal.cuh"

namespace warpguard {

/// A launch, apart from what the contract says.
struct launch_options {
  dim3 grid;  ///< blocks, at least 1 in each dimension
  cudaStream_t stream = nullptr;
  bool cooperative = false;  ///< all blocks are resident at once and may wait for each other (grid.sync())
  /// The kernel may start before the previous kernel of the stream has ended (9.0 and later), and waits for it with
  /// cudaGridDependencySynchronize().
  bool programmatic_dependent_launch = false;
};

/// Returns why this host thread's last launch(), prepare(), resident_grid() or verify() returned an error.
inline launch_refusal why_refused() { return detail::last_refusal; }

/// Makes the next launch prepare each kernel again. Call it after cudaDeviceReset() or cudaLibraryUnload(), and before
/// launches in another context of a device: there kernels lack the attributes that they were given.
inline void forget_prepared_kernels() { detail::current_epoch.fetch_add(1); }

namespace detail {

/// A kernel's parameter, deduced from the kernel alone: arguments are converted to it at the caller's line.
template <class Parameter>
struct parameter {
  using type = Parameter;
};

inline dim3 block_shape(resolved_contract const& terms) {
  return dim3(static_cast<unsigned>(terms.block_x), static_cast<unsigned>(terms.block_y),
              static_cast<unsigned>(terms.block_z));
}
inline dim3 cluster_shape(resolved_contract const& terms) {
  return dim3(static_cast<unsigned>(terms.cluster_x), static_cast<unsigned>(terms.cluster_y),
              static_cast<unsigned>(terms.cluster_z));
}

inline launch_refusal find_grid_refusal(dim3 grid, dim3 cluster) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return launch_refusal::empty_grid;
  if (grid.x > 2147483647u || grid.y > 65535u || grid.z > 65535u) return launch_refusal::grid_too_large;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return launch_refusal::partial_cluster;
  }
  return launch_refusal::none;
}

/// Returns the runtime's description of a launch. `attributes` has room for three.
inline cudaLaunchConfig_t describe_launch(resolved_contract const& terms, launch_options const& options,
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
  resolved_contract const* found = nullptr;
  cudaError_t status = find_terms<Contract, Targets>(kernel, found);
  if (status != cudaSuccess) return status;
  resolved_contract const& terms = *found;
  if (launch_refusal const why = find_grid_refusal(options.grid, cluster_shape(terms)); why != launch_refusal::none) {
    return set_last_refusal(why, cudaErrorInvalidConfiguration);
  }
  cudaLaunchAttribute attributes[3] = {};
  cudaLaunchConfig_t const config = describe_launch(terms, options, attributes);
  status = cudaLaunchKernelExC(&config, kernel, arguments);
  // The driver checks that the grid is resident as a whole; asking it before the launch would cost a query.
  if (status == cudaErrorCooperativeLaunchTooLarge) return set_last_refusal(launch_refusal::cooperative_grid, status);
  return record_runtime_error(status);
}

template <class Contract, class Targets>
cudaError_t prepare_kernel(void const* kernel) {
  resolved_contract const* terms = nullptr;
  return find_terms<Contract, Targets>(kernel, terms);
}

/// Sets `grid` to the blocks of the kernel that the driver holds at once on the current device.
template <class Contract, class Targets>
cudaError_t count_resident(void const* kernel, dim3& grid) {
  terms_on_device here;
  cudaError_t status = find_terms_on_device<Contract, Targets>(kernel, here);
  if (status != cudaSuccess) return status;
  resolved_contract const& terms = *here.terms;
  int sms = 0;
  int blocks = 0;
  status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, here.device);
  if (status != cudaSuccess) return record_runtime_error(status);
  status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, terms.threads(),
                                                         static_cast<size_t>(terms.dynamic_shared_memory));
  if (status != cudaSuccess) return record_runtime_error(status);
  if (blocks < 1 || blocks < terms.blocks_required(*find_architecture(here.compute_capability))) {
    return set_last_refusal(launch_refusal::residency, cudaErrorLaunchOutOfResources);
  }
  int together = blocks * sms;
  dim3 const cluster = cluster_shape(terms);
  if (terms.cluster_size() > 1) {
    cudaLaunchAttribute attributes[3] = {};
    cudaLaunchConfig_t const config = describe_launch(terms, {cluster}, attributes);
    status = cudaOccupancyMaxActiveClusters(&together, kernel, &config);
    if (status != cudaSuccess) return record_runtime_error(status);
    if (together < 1) return set_last_refusal(launch_refusal::residency, cudaErrorLaunchOutOfResources);
  }
  grid = dim3(static_cast<unsigned>(together) * cluster.x, cluster.y, cluster.z);
  return cudaSuccess;
}

}  // namespace detail

/// Refuses a launch that is certainly wrong, and names the argument. Takes no other launch.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel, class... Given,
          class Fault = detail::certain_refusal<Contract, Kernel, Given...>>
cudaError_t launch(Kernel&&, Given&&...) {
  static_assert(Fault::holds());
  return cudaErrorInvalidValue;
}

/// Refuses every launch that no other overload takes: any other is better than an ellipsis.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
cudaError_t launch(void (*)(Parameter...), ...) {
  static_assert(detail::unfit_launch<Contract, void(Parameter...)>::holds());
  return cudaErrorInvalidValue;
}

// nvcc lists overloads from the last to the first, so those that are used most come last.

#if CUDART_VERSION >= 12010
/// The same as below for kernels of a cudaLibrary_t. Their parameters are unknown: the arguments must have exactly
/// their types.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Argument>
cudaError_t launch(cudaKernel_t kernel, launch_options const& options, Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(static_cast<void const*>(kernel), options, arguments);
}
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Argument>
cudaError_t launch(cudaKernel_t kernel, dim3 grid, cudaStream_t stream, Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(static_cast<void const*>(kernel), {grid, stream}, arguments);
}
template <class Contract = detail::unnamed_contract, class Targets = build_target_list>
cudaError_t prepare(cudaKernel_t kernel) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  return detail::prepare_kernel<Contract, Targets>(static_cast<void const*>(kernel));
}
template <class Contract = detail::unnamed_contract, class Targets = build_target_list>
cudaError_t resident_grid(cudaKernel_t kernel, dim3& grid) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  return detail::count_resident<Contract, Targets>(static_cast<void const*>(kernel), grid);
}
#endif

/// Launches `kernel` on the current device, in blocks of the contract's shape and with its dynamic shared memory and
/// cluster. When it is compiled, it checks the contract on every target. The first launch of a kernel on a device
/// checks kernel and device, opts in to the shared memory that the contract needs, sets its carve-out, and allocates a
/// few bytes to remember that; later launches ask the runtime for the current device and nothing else. Returns the
/// runtime's status, or an error that why_refused() explains; does not wait for the kernel. May be called from any
/// thread; throws nothing. Leave `Targets` to its default, the targets of this file.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
cudaError_t launch(void (*kernel)(Parameter...), launch_options const& options,
                   typename detail::parameter<Parameter>::type... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(reinterpret_cast<void const*>(kernel), options, arguments);
}

/// The same with only a grid and a stream.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
cudaError_t launch(void (*kernel)(Parameter...), dim3 grid, cudaStream_t stream,
                   typename detail::parameter<Parameter>::type... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function<Contract, Targets>(reinterpret_cast<void const*>(kernel), {grid, stream}, arguments);
}

/// Does what the first launch does before it launches, on the current device: for programs whose first launch should
/// take no longer than any other, or is captured into a graph.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
cudaError_t prepare(void (*kernel)(Parameter...)) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  return detail::prepare_kernel<Contract, Targets>(reinterpret_cast<void const*>(kernel));
}

/// Sets `grid` to the grid with which a persistent or cooperative kernel fills the current device: the driver's number
/// of blocks per SM times the number of SMs, in x. With clusters: the clusters that are active at once, side by side in
/// x, and as many blocks in y and z as a cluster has. Returns an error if the driver holds fewer blocks than the
/// contract promises.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
cudaError_t resident_grid(void (*kernel)(Parameter...), dim3& grid) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  return detail::count_resident<Contract, Targets>(reinterpret_cast<void const*>(kernel), grid);
}

}  // namespace warpguard
