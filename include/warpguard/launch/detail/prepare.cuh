// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What is done once for a contract, a kernel and a device before the first launch: find the terms of the kernel's
/// code and the limits of the device, check that the kernel fits both, and set the attributes that launches need. Takes
/// no locks and throws nothing; threads that come first at the same time do the same work twice.

#pragma once

#include <cuda_runtime.h>

#include <new>

#include "../../contract/contract.hpp"
#include "../../contract/guarantee.hpp"
#include "../../contract/targets.hpp"
#include "../../contract/violation.hpp"
#include "../../model/capacity.hpp"
#include "../../model/clusters.hpp"
#include "../launch_refusal.cuh"
#include "device.cuh"
#include "memory.cuh"
#include "prepared_kernels.cuh"
#include "shared_state.cuh"

namespace warpguard::detail {

/// A contract and the targets of a file that launches under it, as values.
struct launched_contract {
  resolved_contract (*terms_on)(int compute_capability);
  option_value const* const* options;
  int option_count;
  int const* targets;
  int target_count;
  char const* (*signature)();
  prepared_list* kernels;
};

template <class Contract>
char const* signature_naming() {
#if defined(__GNUC__)
  return __PRETTY_FUNCTION__;
#else
  return "";
#endif
}

// In its device pass clang knows no addresses of what is the host's alone; nothing launches there.
#if defined(__clang__) && defined(__CUDA__) && defined(__CUDA_ARCH__)
#define WARPGUARD_DETAIL_ADDRESS(...) nullptr
#else
#define WARPGUARD_DETAIL_ADDRESS(...) &__VA_ARGS__
#endif
template <class Contract, class Targets>
inline constexpr launched_contract contract_for_launch{
    &Contract::template terms_on<Targets>,
    Contract::template values_for<Targets>,
    Contract::options::count,
    Targets::compute_capabilities,
    Targets::count,
    WARPGUARD_DETAIL_ADDRESS(signature_naming<Contract>),
    WARPGUARD_DETAIL_ADDRESS(prepared_kernels_of<Contract, Targets>)};
#undef WARPGUARD_DETAIL_ADDRESS

constexpr bool contains_target(launched_contract const& contract, int compute_capability) {
  for (int index = 0; index < contract.target_count; ++index) {
    if (contract.targets[index] == compute_capability) return true;
  }
  return false;
}

/// Whether the contract was checked for a device: as a target, for a later minor version of one, or because
/// `also_runs_on<...>` names it.
inline bool is_checked(launched_contract const& contract, int device) {
  int const code = code_for_device(contract.targets, contract.target_count, device);
  if (code > 0 && may_run_code_of(code, device)) return true;
  for (int index = 0; index < contract.option_count; ++index) {
    option_value const& option = *contract.options[index];
    for (int row = 0; row < option.row_count; ++row) {
      if (architectures[option.rows[row]]->compute_capability == device) return true;
    }
  }
  return false;
}

/// Whether a kernel that has no launch bounds, or bounds of 1024, may report that it takes blocks of up to `threads`:
/// 1024, or what the register file holds. Drivers round that down to whole warps or to what warps are allocated in.
inline bool may_be_unbounded(architecture const& arch, int registers, int threads) {
  if (threads >= arch.max_threads_per_block) return true;
  int const most = max_block_size(arch, {1, registers, 0, 0, 0}, 1);
  return threads >= most;
}

/// Returns why the kernel, as it was compiled, cannot be launched under its terms.
inline launch_refusal find_kernel_refusal(cudaFuncAttributes const& found, prepared_kernel const& kernel) {
  resolved_contract const& terms = kernel.terms;
  if (found.maxThreadsPerBlock < kernel.block_threads) return launch_refusal::kernel_threads;
  // Bounds that are no whole number of warps may be reported rounded up.
  int const bounds = round_up(kernel.block_threads, kernel.arch.warp_size);
  if (found.maxThreadsPerBlock > bounds && !may_be_unbounded(kernel.arch, found.numRegs, found.maxThreadsPerBlock)) {
    return launch_refusal::kernel_block;
  }
  if (terms.dynamic_varies == 0 && kernel.static_bytes > kernel.opt_in - kernel.most_bytes) {
    return launch_refusal::kernel_shared_memory;
  }
  // Dynamic shared memory begins where the static ends, or 1 KiB later; larger alignments cannot be checked.
  if (kernel.static_bytes % min_of(terms.dynamic_alignment, 1024) != 0) return launch_refusal::kernel_alignment;
#if CUDART_VERSION >= 12000  // 11.8 does not say
  bool const requires_cluster = found.requiredClusterWidth > 0;
  if (requires_cluster &&
      (found.requiredClusterWidth != terms.cluster_x || found.requiredClusterHeight != terms.cluster_y ||
       found.requiredClusterDepth != terms.cluster_z)) {
    return launch_refusal::kernel_cluster;
  }
#endif
  return launch_refusal::none;
}

/// Sets the attributes of the kernel that all of its launches need: all dynamic bytes that the device has, not only the
/// contract's, so that the order of two contracts of one kernel does not matter.
inline cudaError_t set_attributes(prepared_kernel const& kernel) {
  if (kernel.static_bytes + kernel.most_bytes > kernel.arch.max_shared_per_block_default) {
    cudaError_t const status = cudaFuncSetAttribute(kernel.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                    kernel.opt_in - kernel.static_bytes);
    if (status != cudaSuccess) return status;
  }
  if (support_of_cluster(kernel.arch, kernel.terms.cluster_size()) == cluster_support::portable) return cudaSuccess;
  return cudaFuncSetAttribute(kernel.kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
}

/// Returns the smallest carve-out in percent that holds as many blocks as the model expects under the contract, with
/// the kernel's own static shared memory; no_carveout without shared memory.
inline int wanted_carveout(prepared_kernel const& kernel, int threads, int bytes) {
  if (kernel.static_bytes + bytes == 0) return block_facts::no_carveout;
  kernel_resources takes = kernel.terms.resources(threads);
  takes.static_shared_memory = kernel.static_bytes;
  takes.dynamic_shared_memory = bytes;
  int const percent = min_carveout_percent(kernel.arch, takes, occupancy_of(kernel.arch, takes).blocks_per_sm);
  return percent >= 0 ? percent : block_facts::no_carveout;
}

/// Makes the carve-out of the kernel itself at least as large: for toolkits and drivers without a carve-out of each
/// launch, and for a program that set one, which the driver counts with.
inline cudaError_t raise_carveout(prepared_kernel const& kernel, int& percent) {
  cudaFuncAttributes found{};
  cudaError_t const status = cudaFuncGetAttributes(&found, kernel.kernel);
  if (status != cudaSuccess) return status;
  if (found.preferredShmemCarveout >= percent) {
    percent = found.preferredShmemCarveout;
    return cudaSuccess;
  }
  return cudaFuncSetAttribute(kernel.kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent);
}

/// Finds the carve-out of a block and, for a contract that promises something, how many of them the driver holds.
[[gnu::noinline]] inline cudaError_t find_new_facts(prepared_kernel const& kernel, int threads, int bytes,
                                                    block_facts& facts) {
  int carveout = wanted_carveout(kernel, threads, bytes);
  if (carveout != block_facts::no_carveout && (!kernel.sets_carveout || kernel.has_own_carveout)) {
    cudaError_t const status = raise_carveout(kernel, carveout);
    if (status != cudaSuccess) return status;
  }
  int blocks = 0;
  bool is_kept = true;
  if (kernel.has_promise) {
    cudaError_t const status =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.kernel, threads, static_cast<size_t>(bytes));
    if (status != cudaSuccess) return status;
    blocks = min_of(blocks, block_facts::most_blocks);
    is_kept = kernel.state == device_state::checked && missed_promise(kernel, threads, blocks) == launch_refusal::none;
  }
  facts = block_facts(threads, bytes, blocks, carveout, is_kept);
  kernel.facts.store(facts.word(), std::memory_order_release);
  return cudaSuccess;
}

/// Cached find_new_facts(), as long as the block does not change.
inline cudaError_t find_facts(prepared_kernel const& kernel, int threads, int bytes, block_facts& facts) {
  facts = block_facts(kernel.facts.load(std::memory_order_acquire));
  return facts.is_of(threads, bytes) ? cudaSuccess : find_new_facts(kernel, threads, bytes, facts);
}

inline void add_cluster(prepared_kernel& kernel) {
  if (kernel.terms.cluster_size() == 1) return;
  kernel.has_cluster = true;
  cudaLaunchAttribute& attribute = kernel.attributes[kernel.attribute_count++];
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = kernel.cluster.x;
  attribute.val.clusterDim.y = kernel.cluster.y;
  attribute.val.clusterDim.z = kernel.cluster.z;
}

/// Returns the attributes with the carve-out of a block added, where each launch has its own.
inline unsigned add_carveout(prepared_kernel const& kernel, block_facts facts, cudaLaunchAttribute* attributes,
                             unsigned count) {
#if CUDART_VERSION >= 12050
  if (kernel.sets_carveout && facts.carveout() != block_facts::no_carveout) {
    attributes[count].id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attributes[count].val.sharedMemCarveout = static_cast<unsigned>(facts.carveout());
    return count + 1;
  }
#else
  static_cast<void>(kernel);
  static_cast<void>(facts);
  static_cast<void>(attributes);
#endif
  return count;
}

/// Whether toolkit and driver know a carve-out of each launch.
inline cudaError_t find_carveout_support(bool& sets_carveout) {
  sets_carveout = false;
#if CUDART_VERSION >= 12050
  int driver = 0;
  cudaError_t const status = cudaDriverGetVersion(&driver);
  sets_carveout = driver >= 12050;
  return status;
#else
  return cudaSuccess;
#endif
}

/// Fills in what does not depend on the kernel: the limits of the device.
inline cudaError_t find_limits(launched_contract const& contract, prepared_kernel& kernel) {
  int capability = 0;
  cudaError_t status = compute_capability(kernel.device, capability);
  // The device may have less shared memory left than the table says.
  if (status == cudaSuccess) {
    status = cudaDeviceGetAttribute(&kernel.opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, kernel.device);
  }
  if (status != cudaSuccess) return status;
  architecture const* const row = find_architecture(capability);
  if (row == nullptr) {
    kernel.state = device_state::unknown;
    return limits_from_device(kernel.device, capability, kernel.opt_in, kernel.arch);
  }
  kernel.arch = *row;
  kernel.state = is_checked(contract, capability) ? device_state::checked : device_state::unchecked;
  return cudaSuccess;
}

/// Fills in the terms, which are those of the code, and what follows from them.
inline launch_refusal find_terms(launched_contract const& contract, prepared_kernel& kernel) {
  bool const is_target = contains_target(contract, kernel.compiled_for);
  if (!is_target && has_kind(contract.options, contract.option_count, option_kind::on_each)) {
    return launch_refusal::unknown_code;
  }
  kernel.terms = contract.terms_on(kernel.compiled_for);
  resolved_contract const& terms = kernel.terms;
  violation const broken = first_broken_limit(kernel.arch, terms);
  if (broken == violation::missing_block) return launch_refusal::unknown_code;  // every target has one
  if (broken != violation::none) return launch_refusal::broken_on_device;
  kernel.is_fixed = terms.block_varies == 0 && terms.dynamic_varies == 0;
  kernel.has_promise = terms.minimum > 0 || terms.blocks_allowed() != unlimited || terms.min_registers > 0;
  kernel.block_threads = terms.threads();
  kernel.most_bytes = terms.dynamic_bytes(terms.threads());
  kernel.block = dim3(static_cast<unsigned>(terms.block_x), static_cast<unsigned>(terms.block_y),
                      static_cast<unsigned>(terms.block_z));
  kernel.cluster = dim3(static_cast<unsigned>(terms.cluster_x), static_cast<unsigned>(terms.cluster_y),
                        static_cast<unsigned>(terms.cluster_z));
  return launch_refusal::none;
}

/// Checks contract, kernel and device, and sets what launches need.
inline cudaError_t prepare_first(launched_contract const& contract, prepared_kernel& kernel) {
  cudaError_t status = find_limits(contract, kernel);
  cudaFuncAttributes found{};
  if (status == cudaSuccess) status = cudaFuncGetAttributes(&found, kernel.kernel);
  if (status == cudaSuccess) status = find_carveout_support(kernel.sets_carveout);
  if (status != cudaSuccess) return record_runtime_error(status);
  kernel.compiled_for = found.ptxVersion;
  kernel.registers = found.numRegs;
  kernel.static_bytes = static_cast<int>(found.sharedSizeBytes);
  kernel.has_own_carveout = found.preferredShmemCarveout >= 0;
  kernel.signature_of_contract = contract.signature;

  if (launch_refusal const why = find_terms(contract, kernel); why != launch_refusal::none) return refuse(why);
  if (launch_refusal const why = find_kernel_refusal(found, kernel); why != launch_refusal::none) return refuse(why);
  status = set_attributes(kernel);
  add_cluster(kernel);
  if (status == cudaSuccess && kernel.is_fixed) {
    block_facts facts;
    status = find_new_facts(kernel, kernel.block_threads, kernel.most_bytes, facts);
    kernel.attribute_count = add_carveout(kernel, facts, kernel.attributes, kernel.attribute_count);
  }
  return record_runtime_error(status);
}

/// Prepares a kernel that was not prepared before, and remembers it.
[[gnu::noinline]] inline cudaError_t prepare_new(launched_contract const& contract, void const* kernel, int device,
                                                 std::uint32_t epoch, prepared_kernel const*& prepared) {
  std::unique_ptr<prepared_kernel> entry(new (std::nothrow) prepared_kernel);
  if (entry == nullptr) return refuse(launch_refusal::no_memory);
  entry->kernel = kernel;
  entry->device = device;
  entry->epoch = epoch;
  cudaError_t const status = prepare_first(contract, *entry);
  if (status != cudaSuccess) return status;
  prepared = entry.get();
  contract.kernels->add(entry.release());
  return cudaSuccess;
}

/// Cached prepare_new(), on the current device. Failures are not cached.
inline cudaError_t find_prepared(launched_contract const& contract, void const* kernel,
                                 prepared_kernel const*& prepared) {
  last_launch.refusal = launch_refusal::none;
  last_launch.kernel = nullptr;
  if (kernel == nullptr) return refuse(launch_refusal::null_kernel);
  int device = 0;
  if (cudaError_t const status = cudaGetDevice(&device); status != cudaSuccess) return record_runtime_error(status);
  std::uint32_t const epoch = current_epoch.load(std::memory_order_acquire);
  prepared = contract.kernels->find(kernel, device, epoch);
  return prepared != nullptr ? cudaSuccess : prepare_new(contract, kernel, device, epoch, prepared);
}

}  // namespace warpguard::detail
