// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Why a launch is refused, and the error that it then returns. why_refused() in last_launch.cuh returns the reason.

#pragma once

#include <cuda_runtime.h>

namespace warpguard {

/// Why launch() or another function that takes a kernel returned an error.
enum class launch_refusal {
  none,     ///< it did not
  runtime,  ///< an error of the CUDA runtime, perhaps of an earlier launch

  null_kernel,  ///< cudaErrorInvalidDeviceFunction

  // cudaErrorInvalidConfiguration
  empty_grid,            ///< no blocks, or a negative number of them
  grid_too_large,        ///< more than 2^31 - 1 blocks in x, or 65535 in y or z
  partial_cluster,       ///< the grid is not a multiple of the contract's cluster in each dimension
  missing_block,         ///< the contract leaves the block to the launch, which gives none
  empty_block,           ///< no threads, or a negative number of them
  block_too_large,       ///< more threads than the contract allows, or than a GPU allows in one dimension
  block_too_small,       ///< fewer threads than min_threads_per_block
  other_block,           ///< another block than the contract's fixed one
  negative_bytes,        ///< a negative number of bytes of dynamic shared memory
  too_many_bytes,        ///< more bytes than the contract allows
  other_bytes,           ///< another number of bytes than the contract's fixed one
  kernel_threads,        ///< the kernel was compiled for fewer threads per block than the contract has
  kernel_block,          ///< the kernel's launch bounds have more threads than the contract has
  kernel_shared_memory,  ///< the kernel's own static bytes leave too little for the contract's dynamic ones
  kernel_alignment,      ///< the contract's layout would not be aligned, because of the kernel's own static bytes
  kernel_cluster,        ///< the kernel was compiled for another cluster (`__cluster_dims__`)
  kernel_parameters,     ///< a cudaKernel_t takes another number of arguments, or arguments of other sizes

  repeated_attribute,  ///< cudaErrorInvalidValue: a launch attribute is given twice

  // cudaErrorNotSupported
  unknown_code,      ///< the contract has on_each<...>, and the kernel's code is for none of the targets
  broken_on_device,  ///< the contract needs more than the device has
  unknown_device,    ///< under refuse_missed_promise: the table lacks the device's compute capability
  unchecked_device,  ///< under refuse_missed_promise: neither a target, nor a later minor of one, nor in also_runs_on

  cooperative_grid,  ///< cudaErrorCooperativeLaunchTooLarge: not all blocks of the grid are resident at once

  // cudaErrorLaunchOutOfResources: a missed promise that is an error
  residency,  ///< the driver holds fewer blocks than the contract promises
  excess,     ///< the driver holds more blocks than the contract promises
  registers,  ///< the kernel has fewer registers than min_registers

  no_memory,  ///< cudaErrorMemoryAllocation: in host memory, for what is remembered of a kernel
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
    case launch_refusal::missing_block: return "launches of this contract choose the block, and this one gives none";
    case launch_refusal::empty_block: return "the block has no threads";
    case launch_refusal::block_too_large: return "the block has more threads than the contract or a GPU allows";
    case launch_refusal::block_too_small: return "the block has fewer threads than min_threads_per_block";
    case launch_refusal::other_block: return "the block is not the contract's threads_per_block";
    case launch_refusal::negative_bytes: return "the bytes of dynamic shared memory are negative";
    case launch_refusal::too_many_bytes:
      return "there are more bytes of dynamic shared memory than the contract allows";
    case launch_refusal::other_bytes: return "the bytes of dynamic shared memory are not the contract's";
    case launch_refusal::kernel_threads: return "the kernel was compiled for smaller blocks than the contract's";
    case launch_refusal::kernel_block: return "the kernel was compiled for larger blocks than the contract's";
    case launch_refusal::kernel_shared_memory:
      return "the kernel's static and the contract's dynamic shared memory are together more than a block has";
    case launch_refusal::kernel_alignment:
      return "the kernel's dynamic shared memory does not begin at a multiple of the layout's alignment";
    case launch_refusal::kernel_cluster: return "the kernel was compiled for another cluster than the contract's";
    case launch_refusal::kernel_parameters:
      return "the arguments are not as many and as large as the kernel's parameters";
    case launch_refusal::repeated_attribute: return "a launch attribute is given twice";
    case launch_refusal::unknown_code: return "the kernel's code is for no target of the file that launches it";
    case launch_refusal::broken_on_device: return "the contract needs more than this device has";
    case launch_refusal::unknown_device: return "the compute capability of this device is unknown";
    case launch_refusal::unchecked_device: return "the contract was not checked for this device";
    case launch_refusal::cooperative_grid: return "the grid has more blocks than are resident at once";
    case launch_refusal::residency: return "this device holds fewer blocks of the kernel than the contract promises";
    case launch_refusal::excess: return "this device holds more blocks of the kernel than the contract promises";
    case launch_refusal::registers: return "the kernel has fewer registers than the contract's min_registers";
    case launch_refusal::no_memory: return "there is no host memory to remember the kernel";
  }
  return "";
}

namespace detail {

/// Returns the error that a refused launch returns.
constexpr cudaError_t status_of(launch_refusal why) {
  switch (why) {
    case launch_refusal::none: return cudaSuccess;
    case launch_refusal::null_kernel: return cudaErrorInvalidDeviceFunction;
    case launch_refusal::repeated_attribute: return cudaErrorInvalidValue;
    case launch_refusal::unknown_code:
    case launch_refusal::broken_on_device:
    case launch_refusal::unknown_device:
    case launch_refusal::unchecked_device: return cudaErrorNotSupported;
    case launch_refusal::cooperative_grid: return cudaErrorCooperativeLaunchTooLarge;
    case launch_refusal::residency:
    case launch_refusal::excess:
    case launch_refusal::registers: return cudaErrorLaunchOutOfResources;
    case launch_refusal::no_memory: return cudaErrorMemoryAllocation;
    default: return cudaErrorInvalidConfiguration;
  }
}

}  // namespace detail

}  // namespace warpguard
