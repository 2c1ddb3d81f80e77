// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The residency of a kernel whose launches choose the block size: the lowest and the highest, and with which sizes.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// What is resident with blocks of a size.
struct sized_residency {
  int threads_per_block = impossible;  ///< `impossible`: the question has no answer
  int blocks_per_sm = 0;               ///< 0: such a block cannot run
  int warps_per_sm = 0;                ///< resident warps
};

/// The extremes over a range of block sizes; of several equal sizes the smallest.
struct residency_range {
  sized_residency fewest_blocks;  ///< the size with the fewest resident blocks
  sized_residency most_blocks;    ///< the size with the most resident blocks
  sized_residency fewest_warps;   ///< the size with the fewest resident warps
  sized_residency most_warps;     ///< the size with the most resident warps

  /// Whether the question has an answer.
  WARPGUARD_HOST_DEVICE constexpr bool exists() const { return fewest_blocks.threads_per_block != impossible; }
};

/// Returns the extremes of residency over all block sizes from `least_threads` to `most_threads`, whole warps or not.
/// `kernel.threads_per_block` is ignored. Sizes that cannot run count: nothing is resident with them. No answer for a
/// range that is empty, begins below 1 or ends above the architecture's largest block, and for a question that
/// occupancy_of() cannot answer.
WARPGUARD_HOST_DEVICE constexpr residency_range residencies_between(architecture_ref arch, kernel_resources kernel,
                                                                    int least_threads, int most_threads,
                                                                    shared_memory_config config = {}) {
  residency_range range;
  kernel.threads_per_block = least_threads;
  if (!is_valid(arch) || detail::obstacle_of(arch, kernel, config) != obstacle::none) return range;
  if (least_threads > most_threads || most_threads > arch.max_threads_per_block) return range;
  int const most_warps = detail::divide_up(most_threads, arch.warp_size);
  // Sizes of as many warps have the same residency, so the smallest stands for all.
  for (int warps = detail::divide_up(least_threads, arch.warp_size); warps <= most_warps; ++warps) {
    int const smallest = (warps - 1) * arch.warp_size + 1;
    kernel.threads_per_block = detail::max_of(smallest, least_threads);
    int const blocks = detail::resident_blocks(arch, kernel, config, warps);
    sized_residency const now{kernel.threads_per_block, blocks, blocks * warps};
    bool const is_first = !range.exists();
    if (is_first || now.blocks_per_sm < range.fewest_blocks.blocks_per_sm) range.fewest_blocks = now;
    if (is_first || now.blocks_per_sm > range.most_blocks.blocks_per_sm) range.most_blocks = now;
    if (is_first || now.warps_per_sm < range.fewest_warps.warps_per_sm) range.fewest_warps = now;
    if (is_first || now.warps_per_sm > range.most_warps.warps_per_sm) range.most_warps = now;
  }
  return range;
}

}  // namespace warpguard
