// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What is done once for a contract, a kernel and a device before the first launch: check that the contract was checked
/// for the device and that the kernel fits the contract, and set the attributes that the launch needs. Takes no locks
/// and throws nothing; threads that come first at the same time do the same work twice.

#pragma once

#include <cuda_runtime.h>

#include "../../contract/contract.hpp"
#include "../../contract/guarantee.hpp"
#include "../../contract/targets.hpp"
#include "../../contract/violation.hpp"
#include "../../model/capacity.hpp"
#include "../../model/clusters.hpp"
#include "../launch_refusal.cuh"
#include "prepared_kernels.cuh"
#include "resolved_terms.cuh"

namespace warpguard::detail {

template <int... Target>
constexpr bool may_run_code_of_any(target_list<Target...>, int device) {
  return (may_run_code_of(Target, device) || ...);
}

/// Whether the contract names the compute capability in `also_runs_on<...>`.
constexpr bool is_named_in_also_runs_on(option_value const* const* options, int count, int device) {
  for (int index = 0; index < count; ++index) {
    for (int row = 0; row < options[index]->row_count; ++row) {
      if (architectures[options[index]->rows[row]]->compute_capability == device) return true;
    }
  }
  return false;
}

inline cudaError_t compute_capability(int device, int& capability) {
  int major_part = 0;
  int minor_part = 0;
  cudaError_t status = cudaDeviceGetAttribute(&major_part, cudaDevAttrComputeCapabilityMajor, device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&minor_part, cudaDevAttrComputeCapabilityMinor, device);
  capability = 10 * major_part + minor_part;
  return record_runtime_error(status);
}

/// Returns why the kernel, as it was compiled, cannot be launched as the contract says on a device whose blocks have up
/// to `opt_in` bytes of shared memory.
inline launch_refusal find_kernel_refusal(cudaFuncAttributes const& kernel, resolved_contract const& terms,
                                          int opt_in) {
  int const own_bytes = static_cast<int>(kernel.sharedSizeBytes);
  if (kernel.maxThreadsPerBlock < terms.threads()) return launch_refusal::kernel_threads;
  if (own_bytes > opt_in - terms.dynamic_shared_memory) return launch_refusal::kernel_shared_memory;
  // Dynamic shared memory begins where the static ends, or 1 KiB later; larger alignments cannot be checked.
  if (own_bytes % min_of(terms.dynamic_alignment, 1024) != 0) return launch_refusal::kernel_alignment;
#if CUDART_VERSION >= 12000  // 11.8 does not say
  bool const requires_cluster = kernel.requiredClusterWidth > 0;
  if (requires_cluster &&
      (kernel.requiredClusterWidth != terms.cluster_x || kernel.requiredClusterHeight != terms.cluster_y ||
       kernel.requiredClusterDepth != terms.cluster_z)) {
    return launch_refusal::kernel_cluster;
  }
#endif
  return launch_refusal::none;
}

/// Returns the smallest carve-out in percent that holds as many blocks as the model expects under the contract, for a
/// kernel with `own_bytes` of static shared memory; -1 leaves the carve-out as it is.
inline int wanted_carveout(architecture const& arch, resolved_contract const& terms, int own_bytes) {
  kernel_resources kernel = terms.resources();
  kernel.static_shared_memory = own_bytes;
  if (own_bytes + kernel.dynamic_shared_memory == 0) return -1;
  return min_carveout_percent(arch, kernel, occupancy_of(arch, kernel).blocks_per_sm);
}

/// Sets the attributes of the kernel that the launch needs: all dynamic bytes that the device has, not only the
/// contract's, and never a smaller carve-out than before. So the order of two contracts of one kernel does not matter.
inline cudaError_t set_attributes(void const* kernel, cudaFuncAttributes const& attributes, architecture const& arch,
                                  resolved_contract const& terms, int opt_in) {
  int const own_bytes = static_cast<int>(attributes.sharedSizeBytes);
  if (own_bytes + terms.dynamic_shared_memory > arch.max_shared_per_block_default) {
    cudaError_t const status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, opt_in - own_bytes);
    if (status != cudaSuccess) return record_runtime_error(status);
  }
  if (support_of_cluster(arch, terms.cluster_size()) != cluster_support::portable) {
    cudaError_t const status = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (status != cudaSuccess) return record_runtime_error(status);
  }
  int const carveout = wanted_carveout(arch, terms, own_bytes);
  if (carveout <= attributes.preferredShmemCarveout) return cudaSuccess;
  return record_runtime_error(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
}

/// Checks contract, kernel and device, sets what the launch needs, and finds what the kernel was compiled for.
template <class Contract, class Targets>
cudaError_t prepare_first(void const* kernel, int device, int& compiled_for) {
  int capability = 0;
  if (cudaError_t const status = compute_capability(device, capability); status != cudaSuccess) return status;
  architecture const* const arch = find_architecture(capability);
  if (arch == nullptr) return set_last_refusal(launch_refusal::unknown_device, cudaErrorNotSupported);
  if (!may_run_code_of_any(Targets{}, capability) &&
      !is_named_in_also_runs_on(Contract::template values_for<build_target_list>, Contract::options::count,
                                capability)) {
    return set_last_refusal(launch_refusal::unchecked_device, cudaErrorNotSupported);
  }

  // The device may have less shared memory left than the table says.
  int opt_in = 0;
  cudaError_t status = cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaFuncAttributes attributes{};
  if (status == cudaSuccess) status = cudaFuncGetAttributes(&attributes, kernel);
  if (status != cudaSuccess) return record_runtime_error(status);

  // The terms are those of the code, the limits those of the device.
  resolved_contract const& terms = terms_of<Contract>.of(attributes.ptxVersion);
  if (first_violation(*arch, terms) != violation::none) {
    return set_last_refusal(launch_refusal::broken_on_device, cudaErrorNotSupported);
  }
  if (launch_refusal const why = find_kernel_refusal(attributes, terms, opt_in); why != launch_refusal::none) {
    return set_last_refusal(why, cudaErrorInvalidConfiguration);
  }
  status = set_attributes(kernel, attributes, *arch, terms, opt_in);
  if (status == cudaSuccess) compiled_for = attributes.ptxVersion;
  return status;
}

/// Cached prepare_first(); failures are not cached. Sets `terms` to those of the code that the kernel was compiled to.
template <class Contract, class Targets>
cudaError_t find_terms(void const* kernel, resolved_contract const*& terms) {
  if constexpr (has_fault<Contract>) {
    return cudaErrorInvalidValue;  // never called: the contract is refused, and must not add other errors
  } else {
    last_refusal = launch_refusal::none;
    if (kernel == nullptr) return set_last_refusal(launch_refusal::null_kernel, cudaErrorInvalidDeviceFunction);
    int device = 0;
    if (cudaError_t const status = cudaGetDevice(&device); status != cudaSuccess) return record_runtime_error(status);

    prepared_list& list = prepared_kernels_of<Contract, Targets>;
    std::uint32_t const epoch = current_epoch.load(std::memory_order_acquire);
    prepared_kernel const* entry = list.find(kernel, device);
    int compiled_for = entry != nullptr ? entry->compiled_for(epoch) : -1;
    if (compiled_for < 0) {
      cudaError_t const status = prepare_first<Contract, Targets>(kernel, device, compiled_for);
      if (status != cudaSuccess) return status;
      if (entry == nullptr) entry = list.add(kernel, device);
      if (entry != nullptr) entry->set_prepared(epoch, compiled_for);
    }
    terms = &terms_of<Contract>.of(compiled_for);
    return cudaSuccess;
  }
}

/// The terms of a kernel, and the current device.
struct terms_on_device {
  resolved_contract const* terms = nullptr;
  int device = 0;
  int compute_capability = 0;
};

template <class Contract, class Targets>
cudaError_t find_terms_on_device(void const* kernel, terms_on_device& found) {
  cudaError_t status = find_terms<Contract, Targets>(kernel, found.terms);
  if (status != cudaSuccess) return status;
  status = cudaGetDevice(&found.device);
  return status == cudaSuccess ? compute_capability(found.device, found.compute_capability)
                               : record_runtime_error(status);
}

}  // namespace warpguard::detail
