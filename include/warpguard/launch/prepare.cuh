// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a launch would do, without launching: prepare the kernel, and tell the block, the resident grid, or the
/// runtime's description of the launch. Each takes a kernel as launch() does.

#pragma once

#include <cuda_runtime.h>

#include "../contract/targets.hpp"
#include "detail/launch_call.cuh"
#include "detail/launch_form.cuh"
#include "detail/prepare.cuh"
#include "launch_options.cuh"
#include "promise.cuh"

namespace warpguard {

class launch_description;

namespace detail {
cudaError_t describe_function(launched_contract const*, void const*, launch_options const&, launch_description&);
}  // namespace detail

/// The block of a launch on the current device.
struct launch_shape {
  dim3 block;                     ///< threads
  std::size_t dynamic_bytes = 0;  ///< dynamic shared memory of a block
  dim3 cluster;                   ///< blocks; 1 in each dimension without clusters
  int compiled_for = 0;           ///< compute capability of the code that the device runs: 90 is 9.0
};

/// A launch as the runtime describes it, for cudaLaunchKernelExC() and for nodes of graphs.
class launch_description {
 public:
  /// The attributes lie in this object: it must live as long as the configuration is used.
  cudaLaunchConfig_t config() {
    cudaLaunchConfig_t result = form_.config;
    result.attrs = form_.storage.values;
    return result;
  }
  /// A node with these arguments. It has no attributes: add those of config() by cudaGraphKernelNodeSetAttribute().
  cudaKernelNodeParams node_params(void** arguments) const {
    cudaKernelNodeParams result{};
    result.func = const_cast<void*>(kernel_);
    result.gridDim = form_.config.gridDim;
    result.blockDim = form_.config.blockDim;
    result.sharedMemBytes = static_cast<unsigned>(form_.config.dynamicSmemBytes);
    result.kernelParams = arguments;
    return result;
  }

 private:
  friend cudaError_t detail::describe_function(detail::launched_contract const*, void const*, launch_options const&,
                                               launch_description&);
  void const* kernel_ = nullptr;
  detail::launch_form form_;
};

namespace detail {

inline cudaError_t prepare_kernel(launched_contract const* contract, void const* kernel) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t const status = find_prepared(*contract, kernel, prepared);
  if (status != cudaSuccess || !prepared->is_fixed) return status;
  block_facts const facts(prepared->facts.load(std::memory_order_acquire));
  launch_refusal const why = judge_promise(*prepared, facts, false, false);
  return why == launch_refusal::none ? cudaSuccess : refuse(why);
}

inline cudaError_t find_shape(launched_contract const* contract, void const* kernel, launch_options const& options,
                              launch_shape& shape) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t const status = find_prepared(*contract, kernel, prepared);
  if (status != cudaSuccess) return status;
  launch_block block;
  launch_refusal const why = choose_block(*prepared, options.block, options.bytes, block);
  if (why != launch_refusal::none) return refuse(why);
  shape = {block.shape, static_cast<std::size_t>(block.bytes), prepared->cluster, prepared->compiled_for};
  return cudaSuccess;
}

inline cudaError_t describe_function(launched_contract const* contract, void const* kernel,
                                     launch_options const& options, launch_description& description) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t status = find_prepared(*contract, kernel, prepared);
  if (status == cudaSuccess) status = form_launch(*prepared, options, description.form_);
  if (status != cudaSuccess) return status;
  description.kernel_ = kernel;
  attribute_list& storage = description.form_.storage;
  cudaLaunchConfig_t const& config = description.form_.config;
  storage.count = config.numAttrs;
  for (unsigned index = 0; index < storage.count; ++index) storage.values[index] = config.attrs[index];
  return cudaSuccess;
}

/// Counts the clusters of a launch that the driver holds at once.
inline cudaError_t count_clusters(prepared_kernel const& kernel, launch_block const& block, int& clusters) {
  cudaLaunchConfig_t config{};
  config.gridDim = kernel.cluster;
  config.blockDim = block.shape;
  config.dynamicSmemBytes = static_cast<size_t>(block.bytes);
  config.attrs = const_cast<cudaLaunchAttribute*>(kernel.attributes);  // the runtime only reads them
  config.numAttrs = kernel.attribute_count;
  return cudaOccupancyMaxActiveClusters(&clusters, kernel.kernel, &config);
}

/// Sets `grid` to the blocks of the kernel that the driver holds at once on the current device.
inline cudaError_t count_resident(launched_contract const* contract, void const* kernel, launch_options const& options,
                                  dim3& grid) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t status = find_prepared(*contract, kernel, prepared);
  if (status != cudaSuccess) return status;
  launch_block block;
  launch_refusal why = choose_block(*prepared, options.block, options.bytes, block);
  if (why != launch_refusal::none) return refuse(why);
  block_facts facts;
  status = find_facts(*prepared, block.threads, block.bytes, facts);
  int blocks = facts.blocks();
  if (status == cudaSuccess && !prepared->has_promise) {
    status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block.threads, static_cast<size_t>(block.bytes));
  }
  int sms = 0;
  if (status == cudaSuccess) {
    status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, prepared->device);
  }
  if (status != cudaSuccess) return record_runtime_error(status);
  why = judge_promise(*prepared, facts, options.refuse_missed_promise, true);
  if (why == launch_refusal::none && blocks < 1) why = launch_refusal::residency;
  if (why != launch_refusal::none) return refuse(why);
  int together = blocks * sms;
  if (prepared->terms.cluster_size() > 1) {
    status = count_clusters(*prepared, block, together);
    if (status != cudaSuccess) return record_runtime_error(status);
    if (together < 1) return refuse(launch_refusal::residency);
  }
  grid = dim3(static_cast<unsigned>(together) * prepared->cluster.x, prepared->cluster.y, prepared->cluster.z);
  return cudaSuccess;
}

}  // namespace detail

/// Does what the first launch does before it launches, on the current device: for programs whose first launch should
/// take no longer than any other, or is captured into a graph. Where launches choose the block, the first one with a
/// block still finds out what that needs.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel>
[[nodiscard]] cudaError_t prepare(Kernel const& kernel) {
  using call = detail::call_of<Contract, Kernel const&>;
  static_assert(call::fault::holds());
  static_assert(call::is_kept);
  return detail::prepare_kernel(detail::launched<typename call::contract, Targets>, call::address_of(kernel));
}

/// Sets `shape` to the block, the bytes and the cluster that a launch with these options has on the current device;
/// they need no grid.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel>
[[nodiscard]] cudaError_t launch_shape_of(Kernel const& kernel, launch_shape& shape,
                                          launch_options const& options = {}) {
  using call = detail::call_of<Contract, Kernel const&>;
  static_assert(call::fault::holds());
  static_assert(call::is_kept);
  return detail::find_shape(detail::launched<typename call::contract, Targets>, call::address_of(kernel), options,
                            shape);
}

/// Sets `description` to the launch that launch() would make with these options.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel>
[[nodiscard]] cudaError_t describe_launch(Kernel const& kernel, launch_options const& options,
                                          launch_description& description) {
  using call = detail::call_of<Contract, Kernel const&>;
  static_assert(call::fault::holds());
  static_assert(call::is_kept);
  return describe_function(detail::launched<typename call::contract, Targets>, call::address_of(kernel), options,
                           description);
}

/// Sets `grid` to the grid with which a persistent or cooperative kernel fills the current device: the driver's number
/// of blocks per SM times the number of SMs, in x. With clusters: the clusters that are active at once, side by side in
/// x, and as many blocks in y and z as a cluster has. Block and bytes are those of a launch with these options, which
/// need no grid. Returns an error if the driver holds fewer or more blocks than the contract promises.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel>
[[nodiscard]] cudaError_t resident_grid(Kernel const& kernel, dim3& grid, launch_options const& options = {}) {
  using call = detail::call_of<Contract, Kernel const&>;
  static_assert(call::fault::holds());
  static_assert(call::is_kept);
  return detail::count_resident(detail::launched<typename call::contract, Targets>, call::address_of(kernel), options,
                                grid);
}

}  // namespace warpguard
