// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares a kernel's contract and the model with the driver, number by number: for debug builds and tests. Needs CUDA
/// 11.8 or later.

#pragma once

#include <cuda_runtime.h>

#include "../contract/guarantee.hpp"
#include "../contract/targets.hpp"
#include "../model/capacity.hpp"
#include "../model/clusters.hpp"
#include "../model/occupancy.hpp"
#include "detail/launch_call.cuh"
#include "detail/launch_form.cuh"
#include "detail/prepare.cuh"
#include "launch_options.cuh"
#include "launch_refusal.cuh"
#include "prepare.cuh"

namespace warpguard {

/// The relation that a line of a report checks.
enum class verify_rule {
  equal,     ///< model and driver count the same
  at_most,   ///< the driver's number is at most the contract's
  at_least,  ///< the driver's number is at least the contract's
};

/// One comparison.
struct verify_line {
  char const* what = "";                  ///< what is compared
  verify_rule rule = verify_rule::equal;  ///< how
  long long expected = 0;                 ///< the contract's or the model's number
  long long found = 0;                    ///< the driver's number

  /// Whether the numbers are as they should be.
  constexpr bool holds() const {
    switch (rule) {
      case verify_rule::at_most: return found <= expected;
      case verify_rule::at_least: return found >= expected;
      default: return found == expected;
    }
  }
};

/// What verify() found on the current device.
struct verify_report {
  cudaError_t status = cudaSuccess;  ///< any other: the comparison is missing or incomplete; see why_refused()
  int compute_capability = 0;        ///< of the device
  int compiled_for = 0;              ///< compute capability of the kernel's code, which selects `on<...>`
  int line_count = 0;                ///< comparisons
  verify_line lines[12];             ///< the first `line_count` are in use

  /// Whether the comparison is complete and every line holds.
  bool holds() const {
    for (int index = 0; index < line_count; ++index) {
      if (!lines[index].holds()) return false;
    }
    return status == cudaSuccess;
  }
  /// Adds a line.
  void add(char const* what, verify_rule rule, long long expected, long long found) {
    lines[line_count++] = {what, rule, expected, found};
  }
};

namespace detail {

/// Compares the driver's number of clusters with what is certain: at least one, and at most as many as the SMs hold
/// blocks for with the largest carve-out. The exact number depends on how the SMs are grouped.
inline cudaError_t verify_clusters(prepared_kernel const& kernel, cudaFuncAttributes const& found,
                                   launch_block const& block, kernel_resources const& kernel_takes,
                                   verify_report& report) {
  int const size = kernel.terms.cluster_size();
  int launches_clusters = 0;
  int sms = 0;
  int clusters = 0;
  cudaError_t status = cudaDeviceGetAttribute(&launches_clusters, cudaDevAttrClusterLaunch, kernel.device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, kernel.device);
  if (status != cudaSuccess) return status;
  report.add("the device launches clusters", verify_rule::equal, 1, launches_clusters);
#if CUDART_VERSION >= 12000  // 11.8 does not say
  if (support_of_cluster(kernel.arch, size) != cluster_support::portable) {
    report.add("clusters of a non-portable size are allowed", verify_rule::equal, 1,
               found.nonPortableClusterSizeAllowed);
  }
#else
  static_cast<void>(found);
#endif
  status = count_clusters(kernel, block, clusters);
  if (status != cudaSuccess) return status;
  report.add("clusters on the device", verify_rule::at_least, 1, clusters);
  report.add("clusters on the device, by the blocks that its SMs hold", verify_rule::at_most,
             max_active_clusters(kernel.arch, kernel_takes, size, sms), clusters);
  return cudaSuccess;
}

/// Returns the block of a launch; without one, the largest, with the most bytes.
inline launch_refusal choose_verified_block(prepared_kernel const& kernel, launch_options const& options,
                                            launch_block& block) {
  bool const has_block = options.block.is_given() || kernel.terms.block_varies == 0;
  return choose_block(kernel, has_block ? options.block : given_block(kernel.block_threads), options.bytes, block);
}

inline cudaError_t fill_report(launched_contract const* contract, void const* function, launch_options const& options,
                               verify_report& report) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t status = find_prepared(*contract, function, prepared);
  if (status != cudaSuccess) return status;
  prepared_kernel const& kernel = *prepared;
  architecture const& arch = kernel.arch;
  resolved_contract const& terms = kernel.terms;
  report.compute_capability = arch.compute_capability;
  report.compiled_for = kernel.compiled_for;
  launch_block block;
  launch_refusal const why = choose_verified_block(kernel, options, block);
  if (why != launch_refusal::none) return refuse(why);
  cudaFuncAttributes found{};
  status = cudaFuncGetAttributes(&found, function);
  if (status != cudaSuccess) return record_runtime_error(status);

  report.add("threads per block that the kernel allows", verify_rule::at_least, kernel.block_threads,
             found.maxThreadsPerBlock);
  report.add("registers per thread", verify_rule::at_most, terms.register_cap(arch), found.numRegs);
  if (terms.min_registers > 0) {
    report.add("registers per thread, promised at least", verify_rule::at_least, terms.min_registers, found.numRegs);
  }
  report.add("static shared memory, bytes", verify_rule::at_most, terms.static_shared_memory,
             static_cast<long long>(found.sharedSizeBytes));

  // The model with what the kernel really takes, at its preferred carve-out.
  kernel_resources const kernel_takes{block.threads, found.numRegs, static_cast<int>(found.sharedSizeBytes),
                                      block.bytes, terms.barriers};
  int const modelled = occupancy_of(arch, kernel_takes, {found.preferredShmemCarveout}).blocks_per_sm;
  int blocks = 0;
  status =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, block.threads, static_cast<size_t>(block.bytes));
  if (status != cudaSuccess) return record_runtime_error(status);
  report.add("blocks per SM", verify_rule::equal, modelled, blocks);
  report.add("blocks per SM, promised at least", verify_rule::at_least, terms.blocks_required(arch, block.threads),
             blocks);
  report.add("blocks per SM, promised at most", verify_rule::at_most, terms.blocks_allowed(), blocks);

  // For one block, because for more NVIDIA's function ignores the driver's reserve (docs/deviations.md).
  size_t available = 0;
  status = cudaOccupancyAvailableDynamicSMemPerBlock(&available, function, 1, block.threads);
  if (status != cudaSuccess) return record_runtime_error(status);
  report.add("dynamic shared memory that a block can have, bytes", verify_rule::at_least, block.bytes,
             static_cast<long long>(available));
  if (terms.cluster_size() == 1) return cudaSuccess;
  return record_runtime_error(verify_clusters(kernel, found, block, kernel_takes, report));
}

inline verify_report make_report(launched_contract const* contract, void const* kernel, launch_options const& options) {
  verify_report report;
  report.status = fill_report(contract, kernel, options, report);
  return report;
}

}  // namespace detail

/// Compares the contract of `kernel`, and the model's answers, with the driver's on the current device. Queries the
/// driver at every call; launches nothing and prints nothing. Block and bytes are those of a launch with these options;
/// where the contract leaves them to the launch and the options give none, the largest block and the most bytes.
///
///     wg::verify_report const report = wg::verify<saxpy_contract>(saxpy);
///     for (int i = 0; i < report.line_count; ++i) { ... report.lines[i].expected, report.lines[i].found ... }
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel>
[[nodiscard]] verify_report verify(Kernel const& kernel, launch_options const& options = {}) {
  using call = detail::call_of<Contract, Kernel const&>;
  static_assert(call::fault::holds());
  static_assert(call::is_kept);
  return detail::make_report(detail::launched<typename call::contract, Targets>, call::address_of(kernel), options);
}

}  // namespace warpguard
