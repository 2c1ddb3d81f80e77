// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Thread block clusters: how large one may be, which sizes work, fail or are unknown, and an estimate of how many are
/// active at once. On a device at hand cudaOccupancyMaxActiveClusters() gives the exact number.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// What is known about clusters of one size on an architecture.
enum class cluster_support {
  portable,     ///< works wherever there are clusters; 1 block works everywhere
  nonportable,  ///< works if the kernel opts in (cudaFuncAttributeNonPortableClusterSizeAllowed)
  unknown,      ///< larger than the portable size, and the other limit is unpublished
  refused,      ///< the launch fails: no clusters before 9.0, or larger than the published limit, or below 1
};

namespace detail {

/// Returns the limit after opting in, or `impossible` if it is unpublished; the table then has 0.
WARPGUARD_HOST_DEVICE constexpr int published_cluster_limit(architecture const& arch) {
  return arch.max_cluster_nonportable > 0 ? arch.max_cluster_nonportable : impossible;
}

}  // namespace detail

/// Returns the most blocks per cluster; 1 on architectures without clusters. With `nonportable`, the limit after opting
/// in; `impossible` if that limit is unpublished (10.1, 10.3, 11.0, 12.1), or if the row cannot be an SM.
WARPGUARD_HOST_DEVICE constexpr int max_cluster_size(architecture_ref arch, bool nonportable = false) {
  if (!is_valid(arch)) return impossible;
  return nonportable ? detail::published_cluster_limit(arch) : arch.max_cluster_portable;
}

/// Returns what is known about clusters of `cluster_size` blocks.
WARPGUARD_HOST_DEVICE constexpr cluster_support support_of_cluster(architecture_ref arch, int cluster_size) {
  if (!is_valid(arch) || cluster_size < 1) return cluster_support::refused;
  if (cluster_size <= arch.max_cluster_portable) return cluster_support::portable;
  int const limit = detail::published_cluster_limit(arch);
  if (limit == impossible) return cluster_support::unknown;
  return cluster_size <= limit ? cluster_support::nonportable : cluster_support::refused;
}

/// Returns an upper bound of the clusters of `kernel` that are active at once on a GPU of `sms` SMs, however the SMs
/// are grouped: all blocks of an active cluster are resident. `impossible` if the cluster is refused, a block cannot
/// run, or `sms` is outside 1 to 1048576.
WARPGUARD_HOST_DEVICE constexpr int max_active_clusters(architecture_ref arch, kernel_resources const& kernel,
                                                        int cluster_size, int sms, shared_memory_config config = {}) {
  if (support_of_cluster(arch, cluster_size) == cluster_support::refused) return impossible;
  if (sms < 1 || sms > 1024 * 1024) return impossible;
  int const blocks = occupancy_of(arch, kernel, config).blocks_per_sm;
  if (blocks < 1) return impossible;
  long long const clusters = 1LL * blocks * sms / cluster_size;
  return clusters <= unlimited ? static_cast<int>(clusters) : impossible;
}

/// Returns an estimate of the clusters of `kernel` that are active at once on a GPU of `gpcs` GPCs with `sms_per_gpc`
/// SMs each; an upper bound if those numbers are right. A cluster runs in one GPC, so each GPC takes as many clusters
/// as its SMs hold blocks for.
///
/// It ignores what differs from chip to chip and is unpublished: GPCs of one chip with different numbers of SMs (give
/// the smallest, or add the estimates for single GPCs); SMs that are paired or grouped below the GPC, so that a large
/// cluster may not fit although enough SMs are free; other kernels; and partitions of the GPU (MIG, MPS).
///
/// 0 if a GPC has no room for one cluster. `impossible` if the cluster is refused, a block cannot run, or a number of
/// GPCs or SMs is outside 1 to 1024. Sizes of unknown support are estimated.
WARPGUARD_HOST_DEVICE constexpr int estimated_active_clusters(architecture_ref arch, kernel_resources const& kernel,
                                                              int cluster_size, int sms_per_gpc, int gpcs,
                                                              shared_memory_config config = {}) {
  if (sms_per_gpc < 1 || sms_per_gpc > 1024 || gpcs < 1 || gpcs > 1024) return impossible;
  int const in_one_gpc = max_active_clusters(arch, kernel, cluster_size, sms_per_gpc, config);
  if (in_one_gpc == impossible) return impossible;
  long long const clusters = 1LL * in_one_gpc * gpcs;
  return clusters <= unlimited ? static_cast<int>(clusters) : impossible;
}

}  // namespace warpguard
