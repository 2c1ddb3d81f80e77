// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a launch comes to: the contract's block, bytes and cluster with what launch_options give, and the attributes.

#pragma once

#include <cuda_runtime.h>

#include "../launch_options.cuh"
#include "../launch_refusal.cuh"
#include "../promise.cuh"
#include "prepare.cuh"
#include "prepared_kernels.cuh"
#include "shared_state.cuh"

namespace warpguard::detail {

/// The block of a launch and its dynamic shared memory.
struct launch_block {
  dim3 shape;
  int threads = 0;
  int bytes = 0;
};

inline launch_refusal choose_given_block(prepared_kernel const& kernel, given_block const& threads,
                                         launch_block& block) {
  if (threads.has_none()) return launch_refusal::empty_block;
  // Each of them is small then, and so is their product.
  if (threads.exceeds(1024, 1024, 64)) return launch_refusal::block_too_large;
  long long const all_threads = threads.x * threads.y * threads.z;
  block.shape = to_dim3(threads);
  if (kernel.terms.block_varies == 0) {
    bool const is_same =
        block.shape.x == kernel.block.x && block.shape.y == kernel.block.y && block.shape.z == kernel.block.z;
    if (!is_same) return launch_refusal::other_block;
  }
  if (all_threads > kernel.block_threads) return launch_refusal::block_too_large;
  if (all_threads < kernel.terms.least_threads()) return launch_refusal::block_too_small;
  block.threads = static_cast<int>(all_threads);
  return launch_refusal::none;
}

inline launch_refusal choose_given_bytes(prepared_kernel const& kernel, given_bytes const& given, launch_block& block) {
  if (given.bytes() < 0) return launch_refusal::negative_bytes;
  bool const varies = kernel.terms.dynamic_varies != 0;
  if (given.bytes() > block.bytes) return varies ? launch_refusal::too_many_bytes : launch_refusal::other_bytes;
  if (given.bytes() < block.bytes && !varies) return launch_refusal::other_bytes;
  block.bytes = static_cast<int>(given.bytes());
  return launch_refusal::none;
}

/// Sets `block` to the block and the bytes of a launch.
inline launch_refusal choose_block(prepared_kernel const& kernel, given_block const& block_given,
                                   given_bytes const& bytes_given, launch_block& block) {
  if (kernel.is_fixed && !block_given.is_given() && !bytes_given.is_given()) {
    block = {kernel.block, kernel.block_threads, kernel.most_bytes};
    return launch_refusal::none;
  }
  if (block_given.is_given()) {
    launch_refusal const why = choose_given_block(kernel, block_given, block);
    if (why != launch_refusal::none) return why;
  } else if (kernel.terms.block_varies != 0) {
    return launch_refusal::missing_block;
  } else {
    block.shape = kernel.block;
    block.threads = kernel.block_threads;
  }
  block.bytes = kernel.terms.dynamic_bytes(block.threads);
  if (bytes_given.is_given()) {
    launch_refusal const why = choose_given_bytes(kernel, bytes_given, block);
    if (why != launch_refusal::none) return why;
  }
  return kernel.static_bytes + block.bytes > kernel.opt_in ? launch_refusal::kernel_shared_memory
                                                           : launch_refusal::none;
}

inline launch_refusal choose_grid(prepared_kernel const& kernel, grid_size const& given, dim3 block, dim3& grid) {
  dim3 const cluster = kernel.cluster;
  three_numbers const blocks = given.blocks(block, cluster);
  if (blocks.has_none()) return launch_refusal::empty_grid;
  if (blocks.exceeds(2147483647, 65535, 65535)) return launch_refusal::grid_too_large;
  grid = to_dim3(blocks);
  if (!kernel.has_cluster) return launch_refusal::none;
  bool const is_whole = grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0;
  return is_whole ? launch_refusal::none : launch_refusal::partial_cluster;
}

/// Room for all attributes of a launch: those given, and cluster, carve-out, cooperative, programmatic.
struct attribute_list {
  static constexpr unsigned capacity = launch_attributes::capacity + 4;
  cudaLaunchAttribute values[capacity];
  unsigned count = 0;

  attribute_list() {}  // leaves the values as they are

  void add(cudaLaunchAttribute const& attribute) { values[count++] = attribute; }
  bool has_twice() const {
    for (unsigned second = 1; second < count; ++second) {
      for (unsigned first = 0; first < second; ++first) {
        if (values[first].id == values[second].id) return true;
      }
    }
    return false;
  }
};

/// Sets `list` to the attributes that the contract gives a launch: its cluster, and the carve-out of the block.
inline void collect_own_attributes(prepared_kernel const& kernel, block_facts facts, attribute_list& list) {
  list.count = 0;
  if (kernel.has_cluster) list.add(kernel.attributes[0]);
  list.count = add_carveout(kernel, facts, list.values, list.count);
}

/// Sets `list` to all attributes of a launch.
[[gnu::noinline]] inline launch_refusal collect_attributes(prepared_kernel const& kernel, launch_options const& options,
                                                           block_facts facts, attribute_list& list) {
#if CUDART_VERSION >= 12050
  // A carve-out that is given takes the place of the contract's.
  if (options.attributes.has(cudaLaunchAttributePreferredSharedMemoryCarveout)) facts = {};
#endif
  collect_own_attributes(kernel, facts, list);
  if (options.cooperative) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    list.add(attribute);
  }
  if (options.programmatic_dependent_launch) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    list.add(attribute);
  }
  launch_attributes const& given = options.attributes;
  if (given.count() > launch_attributes::capacity) return launch_refusal::repeated_attribute;
  for (unsigned index = 0; index < given.count(); ++index) list.add(given[index]);
  return list.has_twice() ? launch_refusal::repeated_attribute : launch_refusal::none;
}

/// A launch as the runtime describes it. `storage` holds its attributes if they are not the kernel's own.
struct launch_form {
  cudaLaunchConfig_t config{};
  attribute_list storage;
};

/// Whether the blocks of a launch may wait for each other.
inline bool is_cooperative(launch_options const& options) {
  return options.cooperative ||
         (options.attributes.count() > 0 && options.attributes.has(cudaLaunchAttributeCooperative));
}

/// Sets `form` to a launch of a prepared kernel, or returns the error that it is refused with.
inline cudaError_t form_launch(prepared_kernel const& kernel, launch_options const& options, launch_form& form) {
  launch_block block;
  launch_refusal why = choose_block(kernel, options.block, options.bytes, block);
  if (why == launch_refusal::none) why = choose_grid(kernel, options.grid, block.shape, form.config.gridDim);
  if (why != launch_refusal::none) return refuse(why);
  block_facts facts;
  cudaError_t const status = find_facts(kernel, block.threads, block.bytes, facts);
  if (status != cudaSuccess) return record_runtime_error(status);
  why = judge_promise(kernel, facts, options.refuse_missed_promise, is_cooperative(options));
  if (why != launch_refusal::none) return refuse(why);

  form.config.blockDim = block.shape;
  form.config.dynamicSmemBytes = static_cast<size_t>(block.bytes);
  form.config.stream = options.stream;
  if (kernel.is_fixed && !options.has_attributes()) {
    form.config.attrs = const_cast<cudaLaunchAttribute*>(kernel.attributes);  // the runtime only reads them
    form.config.numAttrs = kernel.attribute_count;
    return cudaSuccess;
  }
  if (options.has_attributes()) {
    why = collect_attributes(kernel, options, facts, form.storage);
  } else {
    collect_own_attributes(kernel, facts, form.storage);
  }
  form.config.attrs = form.storage.values;
  form.config.numAttrs = form.storage.count;
  return why == launch_refusal::none ? cudaSuccess : refuse(why);
}

/// Launches a prepared kernel.
inline cudaError_t launch_prepared(prepared_kernel const& kernel, launch_options const& options, void** arguments) {
  launch_form form;
  cudaError_t status = form_launch(kernel, options, form);
  if (status != cudaSuccess) return status;
  status = cudaLaunchKernelExC(&form.config, kernel.kernel, arguments);
  // The driver checks that the grid is resident as a whole; asking it before the launch would cost a query.
  if (status == cudaErrorCooperativeLaunchTooLarge) return refuse(launch_refusal::cooperative_grid);
#if CUDART_VERSION >= 12040
  if (status == cudaSuccess && options.attributes.device_node() != nullptr) {
    for (unsigned index = 0; index < form.config.numAttrs; ++index) {
      cudaLaunchAttribute const& attribute = form.config.attrs[index];
      if (attribute.id != cudaLaunchAttributeDeviceUpdatableKernelNode) continue;
      *options.attributes.device_node() = attribute.val.deviceUpdatableKernelNode.devNode;
    }
  }
#endif
  return record_runtime_error(status);
}

}  // namespace warpguard::detail
