// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// One call per kernel that compares the contract and the model with the driver, number by number: for debug builds and
/// for tests. Needs CUDA 11.8 or later.

#pragma once

#include <cuda_runtime.h>

#include "../model/capacity.hpp"
#include "../model/clusters.hpp"
#include "launch.cuh"

namespace warpguard {

/// How a line of a report is to be read.
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
  cudaError_t status = cudaSuccess;  ///< not cudaSuccess: there was no comparison, or it stopped; see why_refused()
  int compute_capability = 0;        ///< of the device
  int compiled_for = 0;              ///< what the kernel's `on<...>` go by
  int line_count = 0;
  verify_line lines[12];

  bool holds() const {
    for (int i = 0; i < line_count; ++i) {
      if (!lines[i].holds()) return false;
    }
    return status == cudaSuccess;
  }
  void add(char const* what, verify_rule rule, long long expected, long long found) {
    lines[line_count++] = {what, rule, expected, found};
  }
};

namespace detail {

/// What the driver says of clusters, and what is certain of them: there is one, and no more than the SMs hold blocks
/// for when shared memory has the largest carve-out. How many between, the grouping of the SMs decides.
inline cudaError_t verify_clusters(void const* kernel, int device, contract_terms const& terms,
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
             most_active_clusters(arch, kernel_takes, size, sms), clusters);
  return cudaSuccess;
}

template <class Contract, class Targets>
cudaError_t fill_report(void const* kernel, verify_report& report) {
  static_assert(guarantee<Contract>);
  terms_on_device here;
  cudaError_t status = find_terms_on_device<Contract, Targets>(kernel, here);
  report.compute_capability = here.compute_capability;
  if (status != cudaSuccess) return status;
  contract_terms const& terms = *here.terms;
  cudaFuncAttributes found{};
  status = cudaFuncGetAttributes(&found, kernel);
  if (status != cudaSuccess) return answer(status);
  architecture const& arch = *find_architecture(report.compute_capability);
  report.compiled_for = found.ptxVersion;

  int const registers = register_cap(arch, terms);
  report.add("threads per block that the kernel allows", verify_rule::at_least, terms.threads(),
             found.maxThreadsPerBlock);
  report.add("registers per thread", verify_rule::at_most, registers, found.numRegs);
  report.add("static shared memory, bytes", verify_rule::equal, terms.static_shared_memory,
             static_cast<long long>(found.sharedSizeBytes));

  // The model with what the kernel really takes, at the carve-out that it prefers.
  kernel_resources kernel_takes = terms.resources();
  kernel_takes.registers_per_thread = found.numRegs;
  kernel_takes.static_shared_memory = static_cast<int>(found.sharedSizeBytes);
  int const modelled = occupancy_of(arch, kernel_takes, {found.preferredShmemCarveout}).blocks_per_sm;
  int blocks = 0;
  status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, terms.threads(),
                                                         static_cast<size_t>(terms.dynamic_shared_memory));
  if (status != cudaSuccess) return answer(status);
  report.add("blocks per SM", verify_rule::equal, modelled, blocks);
  report.add("blocks per SM, promised at least", verify_rule::at_least, terms.blocks_required(arch), blocks);
  report.add("blocks per SM, promised at most", verify_rule::at_most, terms.blocks_allowed(), blocks);

  // For one block: for more of them NVIDIA's function forgets the driver's reserve (docs/deviations.md).
  size_t available = 0;
  status = cudaOccupancyAvailableDynamicSMemPerBlock(&available, kernel, 1, terms.threads());
  if (status != cudaSuccess) return answer(status);
  report.add("dynamic shared memory that a block can have, bytes", verify_rule::at_least, terms.dynamic_shared_memory,
             static_cast<long long>(available));
  if (terms.cluster_size() == 1) return cudaSuccess;
  return answer(verify_clusters(kernel, here.device, terms, found, kernel_takes, report));
}

template <class Contract, class Targets>
verify_report make_report(void const* kernel) {
  verify_report report;
  report.status = fill_report<Contract, Targets>(kernel, report);
  return report;
}

}  // namespace detail

/// Compares what the contract says of `kernel`, and what the model makes of it, with what the driver says on the
/// current device. Asks the driver anew at every call; launches nothing and prints nothing:
///
///     wg::verify_report const report = wg::verify<saxpy_contract>(saxpy);
///     for (int i = 0; i < report.line_count; ++i) { ... report.lines[i].expected, report.lines[i].found ... }
template <class Contract, class Targets = detail::target_architectures, class... Parameter>
verify_report verify(void (*kernel)(Parameter...)) {
  return detail::make_report<Contract, Targets>(reinterpret_cast<void const*>(kernel));
}

#if CUDART_VERSION >= 12010
template <class Contract, class Targets = detail::target_architectures>
verify_report verify(cudaKernel_t kernel) {
  return detail::make_report<Contract, Targets>(static_cast<void const*>(kernel));
}
#endif

}  // namespace warpguard
