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
#include "detail/prepare.cuh"
#include "launch.cuh"
#include "launch_refusal.cuh"

namespace warpguard {

/// The relation that a line of a report checks.
enum class verify_rule {
  equal,     ///< model and driver count the same
  at_most,   ///< the driver's number is at most the contract's
  at_least,  ///< the driver's number is at least the contract's
};

/// One comparison. `expected` is the contract's or the model's number, `found` the driver's.
struct verify_line {
  char const* what = "";
  verify_rule rule = verify_rule::equal;
  long long expected = 0;
  long long found = 0;

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
  int line_count = 0;
  verify_line lines[12];

  bool holds() const {
    for (int index = 0; index < line_count; ++index) {
      if (!lines[index].holds()) return false;
    }
    return status == cudaSuccess;
  }
  void add(char const* what, verify_rule rule, long long expected, long long found) {
    lines[line_count++] = {what, rule, expected, found};
  }
};

namespace detail {

/// Compares the driver's number of clusters with what is certain: at least one, and at most as many as the SMs hold
/// blocks for with the largest carve-out. The exact number depends on how the SMs are grouped.
inline cudaError_t verify_clusters(void const* kernel, int device, resolved_contract const& terms,
                                   cudaFuncAttributes const& found, kernel_resources const& kernel_takes,
                                   verify_report& report) {
  architecture const& arch = *find_architecture(report.compute_capability);
  int const size = terms.cluster_size();
  int launches_clusters = 0;
  int sms = 0;
  int clusters = 0;
  cudaError_t status = cudaDeviceGetAttribute(&launches_clusters, cudaDevAttrClusterLaunch, device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  if (status != cudaSuccess) return status;
  report.add("the device launches clusters", verify_rule::equal, 1, launches_clusters);
#if CUDART_VERSION >= 12000  // 11.8 does not say
  if (support_of_cluster(arch, size) != cluster_support::portable) {
    report.add("clusters of a non-portable size are allowed", verify_rule::equal, 1,
               found.nonPortableClusterSizeAllowed);
  }
#else
  static_cast<void>(found);
#endif
  cudaLaunchAttribute attributes[3] = {};
  cudaLaunchConfig_t const config = describe_launch(terms, {cluster_shape(terms)}, attributes);
  status = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
  if (status != cudaSuccess) return status;
  report.add("clusters on the device", verify_rule::at_least, 1, clusters);
  report.add("clusters on the device, by the blocks that its SMs hold", verify_rule::at_most,
             max_active_clusters(arch, kernel_takes, size, sms), clusters);
  return cudaSuccess;
}

template <class Contract, class Targets>
cudaError_t fill_report(void const* kernel, verify_report& report) {
  terms_on_device here;
  cudaError_t status = find_terms_on_device<Contract, Targets>(kernel, here);
  report.compute_capability = here.compute_capability;
  if (status != cudaSuccess) return status;
  resolved_contract const& terms = *here.terms;
  cudaFuncAttributes found{};
  status = cudaFuncGetAttributes(&found, kernel);
  if (status != cudaSuccess) return record_runtime_error(status);
  architecture const& arch = *find_architecture(report.compute_capability);
  report.compiled_for = found.ptxVersion;

  int const registers = terms.register_cap(arch);
  report.add("threads per block that the kernel allows", verify_rule::at_least, terms.threads(),
             found.maxThreadsPerBlock);
  report.add("registers per thread", verify_rule::at_most, registers, found.numRegs);
  report.add("static shared memory, bytes", verify_rule::equal, terms.static_shared_memory,
             static_cast<long long>(found.sharedSizeBytes));

  // The model with what the kernel really takes, at its preferred carve-out.
  kernel_resources kernel_takes = terms.resources();
  kernel_takes.registers_per_thread = found.numRegs;
  kernel_takes.static_shared_memory = static_cast<int>(found.sharedSizeBytes);
  int const modelled = occupancy_of(arch, kernel_takes, {found.preferredShmemCarveout}).blocks_per_sm;
  int blocks = 0;
  status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, terms.threads(),
                                                         static_cast<size_t>(terms.dynamic_shared_memory));
  if (status != cudaSuccess) return record_runtime_error(status);
  report.add("blocks per SM", verify_rule::equal, modelled, blocks);
  report.add("blocks per SM, promised at least", verify_rule::at_least, terms.blocks_required(arch), blocks);
  report.add("blocks per SM, promised at most", verify_rule::at_most, terms.blocks_allowed(), blocks);

  // For one block, because for more NVIDIA's function ignores the driver's reserve (docs/deviations.md).
  size_t available = 0;
  status = cudaOccupancyAvailableDynamicSMemPerBlock(&available, kernel, 1, terms.threads());
  if (status != cudaSuccess) return record_runtime_error(status);
  report.add("dynamic shared memory that a block can have, bytes", verify_rule::at_least, terms.dynamic_shared_memory,
             static_cast<long long>(available));
  if (terms.cluster_size() == 1) return cudaSuccess;
  return record_runtime_error(verify_clusters(kernel, here.device, terms, found, kernel_takes, report));
}

template <class Contract, class Targets>
verify_report make_report(void const* kernel) {
  verify_report report;
  report.status = fill_report<Contract, Targets>(kernel, report);
  return report;
}

}  // namespace detail

/// Compares the contract of `kernel`, and the model's answers, with the driver's on the current device. Queries the
/// driver at every call; launches nothing and prints nothing:
///
///     wg::verify_report const report = wg::verify<saxpy_contract>(saxpy);
///     for (int i = 0; i < report.line_count; ++i) { ... report.lines[i].expected, report.lines[i].found ... }
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
verify_report verify(void (*kernel)(Parameter...)) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  return detail::make_report<Contract, Targets>(reinterpret_cast<void const*>(kernel));
}

#if CUDART_VERSION >= 12010
template <class Contract = detail::unnamed_contract, class Targets = build_target_list>
verify_report verify(cudaKernel_t kernel) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  return detail::make_report<Contract, Targets>(static_cast<void const*>(kernel));
}
#endif

}  // namespace warpguard
