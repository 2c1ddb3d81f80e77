// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What is done once for a contract, a kernel and a device before the kernel is launched: is the device one that the
/// contract was checked for, does the kernel keep its side, and the attributes that the launch needs. No locks, nothing
/// allocated, nothing thrown: threads that come first together do the same work twice.

#pragma once

#include <cuda_runtime.h>

#include "../../contract/guard.hpp"
#include "../launch_refusal.cuh"
#include "prepared_kernels.cuh"
#include "terms_table.cuh"

namespace warpguard::detail {

/// Whether a GPU of compute capability `device` may run what was compiled for `target`: that or an earlier minor of the
/// same major. Whether this kernel's code does (9.0a runs on 9.0 alone) the runtime knows, and says.
constexpr bool may_run_code_of(int target, int device) { return target / 10 == device / 10 && target <= device; }

template <class... Architecture>
constexpr bool may_run_code_of_any(architecture_list<Architecture...> const*, int device) {
  return (may_run_code_of(Architecture::compute_capability, device) || ...);
}

/// Whether the contract names the compute capability in `compatible<...>`.
constexpr bool is_named_compatible(stated const* options, int count, int device) {
  for (int i = 0; i < count; ++i) {
    for (int j = 0; options[i].kind == option_kind::compatible && j < options[i].count; ++j) {
      if (options[i].options[j].compute_capability == device) return true;
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
  return answer(status);
}

/// Whether the kernel, as it was compiled, can be launched as the contract says, where a block has `opt_in` bytes.
inline launch_refusal judge_kernel(cudaFuncAttributes const& kernel, contract_terms const& terms, int opt_in) {
  int const own_bytes = static_cast<int>(kernel.sharedSizeBytes);
  if (kernel.maxThreadsPerBlock < terms.threads()) return launch_refusal::kernel_threads;
  if (own_bytes > opt_in - terms.dynamic_shared_memory) return launch_refusal::kernel_shared_memory;
  // Dynamic shared memory begins where the static ends, or 1 KiB later: nothing is certain about larger alignments.
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

/// The carve-out in percent that holds as many blocks as the contract lets the model expect of a kernel with
/// `own_bytes` of static shared memory; -1: leave it alone.
inline int wanted_carveout(architecture const& arch, contract_terms const& terms, int own_bytes) {
  kernel_resources kernel = terms.resources();
  kernel.static_shared_memory = own_bytes;
  if (own_bytes + kernel.dynamic_shared_memory == 0) return -1;
  return min_carveout_percent(arch, kernel, occupancy_of(arch, kernel).blocks_per_sm);
}

/// What the kernel has to be allowed. The most dynamic bytes, not the contract's, and never a smaller carve-out than it
/// has: so it does not matter which of two contracts of one kernel comes last.
inline cudaError_t set_attributes(void const* kernel, cudaFuncAttributes const& attributes, architecture const& arch,
                                  contract_terms const& terms, int opt_in) {
  int const own_bytes = static_cast<int>(attributes.sharedSizeBytes);
  if (own_bytes + terms.dynamic_shared_memory > arch.max_shared_per_block_default) {
    cudaError_t const status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, opt_in - own_bytes);
    if (status != cudaSuccess) return answer(status);
  }
  if (support_of_cluster(arch, terms.cluster_size()) != cluster_support::portable) {
    cudaError_t const status = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (status != cudaSuccess) return answer(status);
  }
  int const carveout = wanted_carveout(arch, terms, own_bytes);
  if (carveout <= attributes.preferredShmemCarveout) return cudaSuccess;
  return answer(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
}

/// Checks contract, kernel and device, sets what the launch needs, and says what the kernel was compiled for.
template <class Contract, class Targets>
cudaError_t prepare_first(void const* kernel, int device, int& compiled_for) {
  int capability = 0;
  if (cudaError_t const status = compute_capability(device, capability); status != cudaSuccess) return status;
  architecture const* const arch = find_architecture(capability);
  if (arch == nullptr) return refuse(launch_refusal::unknown_device, cudaErrorNotSupported);
  if (!may_run_code_of_any(static_cast<Targets*>(nullptr), capability) &&
      !is_named_compatible(Contract::said, Contract::option_count, capability)) {
    return refuse(launch_refusal::unchecked_device, cudaErrorNotSupported);
  }

  // The table has what the device is made with; what is left of it the device knows.
  int opt_in = 0;
  cudaError_t status = cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaFuncAttributes attributes{};
  if (status == cudaSuccess) status = cudaFuncGetAttributes(&attributes, kernel);
  if (status != cudaSuccess) return answer(status);

  // The contract of the code, on the limits of the device.
  contract_terms const& terms = terms_of<Contract>.of(attributes.ptxVersion);
  if (judge(*arch, terms) != verdict::kept) return refuse(launch_refusal::broken_on_device, cudaErrorNotSupported);
  if (launch_refusal const why = judge_kernel(attributes, terms, opt_in); why != launch_refusal::none) {
    return refuse(why, cudaErrorInvalidConfiguration);
  }
  status = set_attributes(kernel, attributes, *arch, terms, opt_in);
  if (status == cudaSuccess) compiled_for = attributes.ptxVersion;
  return status;
}

/// The same, from the second time on without asking; refusals are not remembered. What the contract says of the kernel
/// is then `terms`. Targets are part of the name because files of one program may be built for different ones.
template <class Contract, class Targets>
cudaError_t find_terms(void const* kernel, contract_terms const*& terms) {
  refusal_of_this_thread = launch_refusal::none;
  if (kernel == nullptr) return refuse(launch_refusal::null_kernel, cudaErrorInvalidDeviceFunction);
  int device = 0;
  if (cudaError_t const status = cudaGetDevice(&device); status != cudaSuccess) return answer(status);

  prepared_place* const place = prepared_kernels.place_of({&contract_mark<Contract, Targets>, kernel, device});
  std::uint32_t const epoch = current_epoch.load(std::memory_order_acquire);
  int compiled_for = place != nullptr ? prepared_for(*place, epoch) : -1;
  if (compiled_for < 0) {
    cudaError_t const status = prepare_first<Contract, Targets>(kernel, device, compiled_for);
    if (status != cudaSuccess) return status;
    if (place != nullptr) set_prepared(*place, epoch, compiled_for);
  }
  terms = &terms_of<Contract>.of(compiled_for);
  return cudaSuccess;
}

/// The same with the device that it is for, for questions that go on to ask about it.
struct terms_on_device {
  contract_terms const* terms = nullptr;
  int device = 0;
  int compute_capability = 0;
};

template <class Contract, class Targets>
cudaError_t find_terms_on_device(void const* kernel, terms_on_device& found) {
  cudaError_t status = find_terms<Contract, Targets>(kernel, found.terms);
  if (status != cudaSuccess) return status;
  status = cudaGetDevice(&found.device);
  return status == cudaSuccess ? compute_capability(found.device, found.compute_capability) : answer(status);
}

}  // namespace warpguard::detail
