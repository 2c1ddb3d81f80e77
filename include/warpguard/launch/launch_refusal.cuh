// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Why a launch is refused, and the last refusal of each thread, which why_refused() returns.

#pragma once

#include <cuda_runtime.h>

namespace warpguard {

/// Why launch(), prepare(), resident_grid() or verify() returned an error.
enum class launch_refusal {
  none,                  ///< it did not
  runtime,               ///< an error of the CUDA runtime, perhaps of an earlier launch
  null_kernel,           ///< cudaErrorInvalidDeviceFunction
  empty_grid,            ///< cudaErrorInvalidConfiguration, as all up to kernel_cluster
  grid_too_large,        ///< more than 2^31 - 1 blocks in x, or 65535 in y or z
  partial_cluster,       ///< the grid is not a multiple of the contract's cluster in each dimension
  kernel_threads,        ///< the kernel was compiled for fewer threads per block than the contract has
  kernel_shared_memory,  ///< the kernel's own static bytes leave too little for the contract's dynamic ones
  kernel_alignment,      ///< the contract's layout would not be aligned, because of the kernel's own static bytes
  kernel_cluster,        ///< the kernel was compiled for another cluster (`__cluster_dims__`)
  unknown_device,        ///< cudaErrorNotSupported: the table lacks its compute capability
  unchecked_device,  ///< cudaErrorNotSupported: neither a target, nor a later minor of one, nor in also_runs_on<...>
  broken_on_device,  ///< cudaErrorNotSupported: the device runs the code, but breaks the contract
  cooperative_grid,  ///< cudaErrorCooperativeLaunchTooLarge: not all blocks of the grid are resident at once
  residency,         ///< cudaErrorLaunchOutOfResources: the driver holds fewer blocks than the contract promises
};

/// Returns a launch_refusal in words.
constexpr char const* describe(launch_refusal why) {
  switch (why) {
    case launch_refusal::none: return "no refusal";
    case launch_refusal::runtime: return "an error of the CUDA runtime";
    case launch_refusal::null_kernel: return "the kernel is null";
    case launch_refusal::empty_grid: return "the grid has no blocks";
    case launch_refusal::grid_too_large: return "the grid has more blocks than a GPU takes in one dimension";
    case launch_refusal::partial_cluster: return "the grid is not a whole number of the contract's clusters";
    case launch_refusal::kernel_threads: return "the kernel was compiled for smaller blocks than the contract's";
    case launch_refusal::kernel_shared_memory:
      return "the kernel's static and the contract's dynamic shared memory are together more than a block has";
    case launch_refusal::kernel_alignment:
      return "the kernel's dynamic shared memory does not begin at a multiple of the layout's alignment";
    case launch_refusal::kernel_cluster: return "the kernel was compiled for another cluster than the contract's";
    case launch_refusal::unknown_device: return "the compute capability of this device is unknown";
    case launch_refusal::unchecked_device: return "the contract was not checked for this device";
    case launch_refusal::broken_on_device: return "this device cannot keep the contract";
    case launch_refusal::cooperative_grid: return "the grid has more blocks than are resident at once";
    case launch_refusal::residency: return "this device holds fewer blocks of the kernel than the contract promises";
  }
  return "";
}

namespace detail {

inline thread_local launch_refusal last_refusal = launch_refusal::none;

inline cudaError_t set_last_refusal(launch_refusal why, cudaError_t status) {
  last_refusal = why;
  return status;
}

/// Records an error of the runtime and returns it. The runtime's own record of it is not cleared.
inline cudaError_t record_runtime_error(cudaError_t status) {
  return status == cudaSuccess ? status : set_last_refusal(launch_refusal::runtime, status);
}

}  // namespace detail

}  // namespace warpguard
