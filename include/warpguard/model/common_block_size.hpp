// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// One block size for several GPUs: the size that is best on the GPU where it is worst.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "block_size.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// A block size, and the GPU on which it leaves the most warp slots empty.
struct common_block_size {
  int threads_per_block = impossible;  ///< `impossible`: no size within the limits runs on every GPU
  int worst = impossible;              ///< index of the GPU with the lowest occupancy, the first of several
  int warps_per_sm = 0;                ///< resident warps there,
  int max_warps_per_sm = 0;            ///< of so many

  /// Returns the occupancy on the worst GPU in percent, for printing.
  WARPGUARD_HOST_DEVICE constexpr double percent() const {
    return max_warps_per_sm > 0 ? 100.0 * warps_per_sm / max_warps_per_sm : 0.0;
  }
};

namespace detail {

/// Returns the GPU on which blocks of a size have the lowest occupancy, in resident warps of the architecture's.
WARPGUARD_HOST_DEVICE constexpr common_block_size worst_of(architecture_list const& gpus, kernel_resources kernel,
                                                           int threads, shared_memory_config const& config) {
  common_block_size result;
  kernel.threads_per_block = threads;
  for (int index = 0; index < gpus.count; ++index) {
    architecture const& arch = *gpus.first[index];
    int const warps = divide_up(threads, arch.warp_size);
    int const resident = resident_blocks(arch, kernel, config, warps) * warps;
    long long const by_this = 1LL * resident * result.max_warps_per_sm;
    if (index == 0 || by_this < 1LL * result.warps_per_sm * arch.max_warps_per_sm) {
      result = {threads, index, resident, arch.max_warps_per_sm};
    }
  }
  return result;
}

}  // namespace detail

/// Returns the block size whose lowest occupancy on `gpus` is the highest; of several such sizes the largest. The sizes
/// are whole warps within `limits`, and `limits.at_most` itself. `kernel.threads_per_block` is ignored. There is no
/// answer without an architecture, if one of them cannot be an SM, and for a question that occupancy_of() cannot
/// answer. In a kernel only as a constant, because the addresses are those of the host.
WARPGUARD_HOST_DEVICE constexpr common_block_size suggest_common_block_size(architecture_list const& gpus,
                                                                            kernel_resources kernel,
                                                                            block_size_limits limits = {},
                                                                            shared_memory_config config = {}) {
  common_block_size best;
  if (gpus.count < 1 || (limits.at_most | limits.multiple_of | limits.divisor_of) < 0) return best;
  kernel.threads_per_block = 1;
  int largest = limits.at_most > 0 ? limits.at_most : unlimited;
  int step = limits.multiple_of;
  for (architecture const* const gpu : gpus) {
    architecture const& arch = *gpu;
    if (!is_valid(arch) || detail::obstacle_of(arch, kernel, config) != obstacle::none) return best;
    largest = detail::min_of(largest, arch.max_threads_per_block);
    if (limits.multiple_of == 0) step = detail::max_of(step, arch.warp_size);
  }
  if (limits.multiple_of > 0) largest = largest / step * step;
  for (int threads = largest; threads > 0; threads = (threads - 1) / step * step) {
    if (limits.divisor_of > 0 && limits.divisor_of % threads != 0) continue;
    common_block_size const next = detail::worst_of(gpus, kernel, threads, config);
    if (1LL * next.warps_per_sm * best.max_warps_per_sm > 1LL * best.warps_per_sm * next.max_warps_per_sm ||
        (best.threads_per_block == impossible && next.warps_per_sm > 0)) {
      best = next;
    }
  }
  return best;
}

}  // namespace warpguard
