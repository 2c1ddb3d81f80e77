// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Thread block clusters: how large one may be, which sizes are certain to fail and of which nobody knows, and an
/// estimate of how many are active at once. How many are, on a device at hand, is cudaOccupancyMaxActiveClusters().

#pragma once

#include "../hardware/architecture.hpp"
#include "capacity.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// What is known about clusters of one size on an architecture.
enum class cluster_support {
  portable,     ///< works wherever there are clusters; 1 block works everywhere
  nonportable,  ///< works if the kernel opts in (cudaFuncAttributeNonPortableClusterSizeAllowed)
  unknown,      ///< larger than the portable size where nobody has published the other limit
  refused,      ///< the launch fails: no clusters before 9.0, or larger than the published limit, or below 1
};

namespace detail {

/// The limit after opting in; `impossible` where nobody has published it, for which the table has 0.
WARPGUARD_HOST_DEVICE constexpr int published_cluster_limit(architecture const& arch) {
  return arch.max_cluster_nonportable > 0 ? arch.max_cluster_nonportable : impossible;
}

}  // namespace detail

/// The most blocks per cluster; 1 where there are no clusters. With `nonportable`, after opting in: `impossible` where
/// nobody has published that limit (10.1, 10.3, 11.0, 12.1). `impossible` also for what is no SM.
WARPGUARD_HOST_DEVICE constexpr int max_cluster_size(architecture_ref arch, bool nonportable = false) {
  if (!is_valid(arch)) return impossible;
  return nonportable ? detail::published_cluster_limit(arch) : arch.max_cluster_portable;
}

/// What is known about clusters of `cluster_size` blocks.
WARPGUARD_HOST_DEVICE constexpr cluster_support support_of_cluster(architecture_ref arch, int cluster_size) {
  if (!is_valid(arch) || cluster_size < 1) return cluster_support::refused;
  if (cluster_size <= arch.max_cluster_portable) return cluster_support::portable;
  int const limit = detail::published_cluster_limit(arch);
  if (limit == impossible) return cluster_support::unknown;
  return cluster_size <= limit ? cluster_support::nonportable : cluster_support::refused;
}

/// What is certain about the clusters of `kernel` that are active at once on a GPU of `sms` SMs, however these are
/// grouped: there are at most so many, because each of their blocks is resident. `impossible` where the cluster is
/// refused, a block cannot run, or `sms` is outside 1 to 1048576.
WARPGUARD_HOST_DEVICE constexpr int most_active_clusters(architecture_ref arch, kernel_resources const& kernel,
                                                         int cluster_size, int sms, shared_memory_config config = {}) {
  if (support_of_cluster(arch, cluster_size) == cluster_support::refused) return impossible;
  if (sms < 1 || sms > 1024 * 1024) return impossible;
  int const blocks = occupancy_of(arch, kernel, config).blocks_per_sm;
  if (blocks < 1) return impossible;
  long long const clusters = 1LL * blocks * sms / cluster_size;
  return clusters <= unlimited ? static_cast<int>(clusters) : impossible;
}

/// An estimate of the clusters of `kernel` that are active at once on a GPU of `gpcs` GPCs of `sms_per_gpc` SMs each;
/// an upper bound as long as those numbers are right. A cluster lives in one GPC, so that each GPC takes as many as its
/// SMs hold blocks for.
///
/// It takes no account of what differs from chip to chip and is not published: GPCs of the same chip with different
/// numbers of SMs (give the smallest, or add the estimates of one GPC), SMs that are paired or grouped below the GPC,
/// which keep large clusters out of places that seem free, other kernels, and partitions of the GPU (MIG, MPS).
///
/// 0 where a GPC has no room for one cluster. `impossible` where the cluster is refused, a block cannot run, or a
/// number of GPCs or SMs is outside 1 to 1024. A size of which nobody knows whether it works is estimated.
WARPGUARD_HOST_DEVICE constexpr int estimated_active_clusters(architecture_ref arch, kernel_resources const& kernel,
                                                              int cluster_size, int sms_per_gpc, int gpcs,
                                                              shared_memory_config config = {}) {
  if (sms_per_gpc < 1 || sms_per_gpc > 1024 || gpcs < 1 || gpcs > 1024) return impossible;
  int const in_one_gpc = most_active_clusters(arch, kernel, cluster_size, sms_per_gpc, config);
  if (in_one_gpc == impossible) return impossible;
  long long const clusters = 1LL * in_one_gpc * gpcs;
  return clusters <= unlimited ? static_cast<int>(clusters) : impossible;
}

}  // namespace warpguard
