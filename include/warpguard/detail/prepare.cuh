// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What is done once for a contract, a kernel and a device before the kernel is launched: is the device one that the
/// contract was checked for, does the kernel keep its side, and the attributes that the launch needs. No locks, nothing
/// allocated, nothing thrown: threads that come first together do the same work twice.

#pragma once

#include <cuda_runtime.h>

#include <atomic>

#include "../guard.hpp"

namespace warpguard {

/// Why launch() or resident_grid() returned an error.
enum class launch_refusal {
  none,                  ///< it did not
  runtime,               ///< the error is the runtime's own, perhaps of an earlier launch
  null_kernel,           ///< cudaErrorInvalidDeviceFunction
  empty_grid,            ///< cudaErrorInvalidConfiguration; so are those up to kernel_shared_memory
  grid_too_large,        ///< more than 2^31 - 1 blocks in x, or 65535 in y or z
  partial_cluster,       ///< grid.x is not a multiple of the contract's clusters
  kernel_threads,        ///< the kernel was compiled for fewer threads per block than the contract has
  kernel_shared_memory,  ///< the kernel's own static bytes leave too little for the contract's dynamic ones
  unknown_device,        ///< cudaErrorNotSupported: the table lacks its compute capability
  unchecked_device,      ///< cudaErrorNotSupported: no target, not compatible<...>, nor a later minor of a target
  broken_on_device,      ///< cudaErrorNotSupported: a later minor of a target, which cannot keep the contract
  residency,             ///< cudaErrorLaunchOutOfResources: the driver holds fewer blocks than the contract promises
};

/// A launch_refusal in words.
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
    case launch_refusal::unknown_device: return "nobody knows the compute capability of this device";
    case launch_refusal::unchecked_device: return "the contract was not checked for this device";
    case launch_refusal::broken_on_device: return "this device cannot keep the contract";
    case launch_refusal::residency: return "this device holds fewer blocks of the kernel than the contract promises";
  }
  return "";
}

namespace detail {

inline thread_local launch_refusal refusal_of_this_thread = launch_refusal::none;

inline cudaError_t refuse(launch_refusal why, cudaError_t status) {
  refusal_of_this_thread = why;
  return status;
}

/// The runtime's answer; its errors are passed on, never cleared.
inline cudaError_t answer(cudaError_t status) {
  return status == cudaSuccess ? status : refuse(launch_refusal::runtime, status);
}

/// What was prepared on each device for some kernels of one contract: what the kernel was compiled for, 0 for nothing.
/// What finds no room is prepared again at every launch.
struct prepared_kernels {
  static constexpr int kernels = 8;
  static constexpr int devices = 16;

  std::atomic<void const*> kernel[kernels] = {};
  std::atomic<int> compiled_for[kernels][devices] = {};
  std::atomic<unsigned> epoch[kernels][devices] = {};
};
template <class Contract>
inline prepared_kernels prepared;

/// Raised by forget_prepared_kernels(): what was prepared before no longer counts.
inline std::atomic<unsigned> current_epoch{1};

/// The kernel's place, claimed if it has none; -1 where all are taken.
inline int place_of(prepared_kernels& table, void const* kernel) {
  for (int i = 0; i < prepared_kernels::kernels; ++i) {
    void const* found = table.kernel[i].load(std::memory_order_acquire);
    if (found == nullptr && table.kernel[i].compare_exchange_strong(found, kernel)) return i;
    if (found == kernel) return i;
  }
  return -1;
}

/// Whether a GPU of compute capability `device` runs the code of a target, or was named.
constexpr bool runs_checked_code(stated const* options, int count, int device) {
  for (int i = 0; i < count; ++i) {
    for (int j = 0; options[i].kind == option_kind::compatible && j < options[i].count; ++j) {
      if (options[i].options[j].compute_capability == device) return true;
    }
  }
  for (int i = 0; i < target_numbers.count; ++i) {
    int const target = target_numbers.compute_capability[i];
    if (target / 10 == device / 10 && target <= device) return true;
  }
  return false;
}

inline cudaError_t compute_capability(int device, int& capability) {
  int major_part = 0;
  int minor_part = 0;
  cudaError_t status = cudaDeviceGetAttribute(&major_part, cudaDevAttrComputeCapabilityMajor, device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&minor_part, cudaDevAttrComputeCapabilityMinor, device);
  capability = 10 * major_part + minor_part;
  return answer(status);
}

/// The carve-out in percent that holds as many blocks as the contract lets the model expect; -1: leave it alone.
inline int wanted_carveout(architecture const& arch, contract_terms const& terms) {
  kernel_resources const kernel = terms.resources();
  if (kernel.static_shared_memory + kernel.dynamic_shared_memory == 0) return -1;
  return min_carveout_percent(arch, kernel, occupancy_of(arch, kernel).blocks_per_sm);
}

/// What the kernel has to be allowed. The most dynamic bytes, not the contract's: so it does not matter which of two
/// contracts of one kernel, or of two threads, comes last.
inline cudaError_t set_attributes(void const* kernel, cudaFuncAttributes const& attributes, architecture const& arch,
                                  contract_terms const& terms) {
  constexpr int portable_cluster = 8;
  int const own_bytes = static_cast<int>(attributes.sharedSizeBytes);
  if (own_bytes + terms.dynamic_shared_memory > arch.max_shared_per_block_default) {
    cudaError_t const status = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                    arch.max_shared_per_block_optin - own_bytes);
    if (status != cudaSuccess) return answer(status);
  }
  if (terms.cluster_size() > portable_cluster) {
    cudaError_t const status = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (status != cudaSuccess) return answer(status);
  }
  int const carveout = wanted_carveout(arch, terms);
  if (carveout < 0) return cudaSuccess;
  return answer(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
}

/// Checks contract, kernel and device, sets what the launch needs, and says what the kernel was compiled for.
template <class Contract>
cudaError_t prepare_first(void const* kernel, int device, int& compiled_for) {
  int capability = 0;
  if (cudaError_t const status = compute_capability(device, capability); status != cudaSuccess) return status;
  architecture const* const arch = find_architecture(capability);
  if (arch == nullptr) return refuse(launch_refusal::unknown_device, cudaErrorNotSupported);
  if (!runs_checked_code(Contract::said, Contract::option_count, capability)) {
    return refuse(launch_refusal::unchecked_device, cudaErrorNotSupported);
  }

  cudaFuncAttributes attributes{};
  if (cudaError_t const status = cudaFuncGetAttributes(&attributes, kernel); status != cudaSuccess) {
    return answer(status);
  }
  // The contract of the code, on the limits of the device.
  contract_terms const terms = Contract::terms_on(attributes.ptxVersion);
  if (judge(*arch, terms) != verdict::kept) return refuse(launch_refusal::broken_on_device, cudaErrorNotSupported);
  if (attributes.maxThreadsPerBlock < terms.threads()) {
    return refuse(launch_refusal::kernel_threads, cudaErrorInvalidConfiguration);
  }
  if (static_cast<int>(attributes.sharedSizeBytes) > arch->max_shared_per_block_optin - terms.dynamic_shared_memory) {
    return refuse(launch_refusal::kernel_shared_memory, cudaErrorInvalidConfiguration);
  }
  if (cudaError_t const status = set_attributes(kernel, attributes, *arch, terms); status != cudaSuccess) return status;
  compiled_for = attributes.ptxVersion;
  return cudaSuccess;
}

/// The same, from the second time on without asking; refusals are not remembered.
template <class Contract>
cudaError_t prepare(void const* kernel, contract_terms& terms) {
  refusal_of_this_thread = launch_refusal::none;
  if (kernel == nullptr) return refuse(launch_refusal::null_kernel, cudaErrorInvalidDeviceFunction);
  int device = 0;
  if (cudaError_t const status = cudaGetDevice(&device); status != cudaSuccess) return answer(status);

  prepared_kernels& table = prepared<Contract>;
  int const place = device >= 0 && device < prepared_kernels::devices ? place_of(table, kernel) : -1;
  unsigned const epoch = current_epoch.load(std::memory_order_acquire);
  int compiled_for = 0;
  if (place >= 0 && table.epoch[place][device].load(std::memory_order_acquire) == epoch) {
    compiled_for = table.compiled_for[place][device].load(std::memory_order_relaxed);
  } else {
    if (cudaError_t const status = prepare_first<Contract>(kernel, device, compiled_for); status != cudaSuccess) {
      return status;
    }
    if (place >= 0) {
      table.compiled_for[place][device].store(compiled_for, std::memory_order_relaxed);
      table.epoch[place][device].store(epoch, std::memory_order_release);
    }
  }
  if constexpr (speaks_of_architectures(Contract::said, Contract::option_count)) {
    terms = Contract::terms_on(compiled_for);
  } else {
    constexpr contract_terms everywhere = Contract::terms_on(0);
    terms = everywhere;
  }
  return cudaSuccess;
}

}  // namespace detail

}  // namespace warpguard
