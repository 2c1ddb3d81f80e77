// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What to change so that a kernel reaches a wanted residency.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"
#include "single_change.hpp"

namespace warpguard {

/// The blocks and the warps that should be resident on one SM, at least. 0 asks for nothing.
struct residency_goal {
  int blocks;  ///< resident per SM
  int warps;   ///< resident per SM

  /// Returns the blocks that reach the goal, if a block has `warps_per_block` warps (at least 1).
  WARPGUARD_HOST_DEVICE constexpr int blocks_of(int warps_per_block) const {
    int const by_warps = detail::divide_up(warps, warps_per_block);
    return by_warps > blocks ? by_warps : blocks;
  }
};

/// The changes that together reach a goal; `impossible` for what need not or cannot change.
struct advice {
  int registers_at_most = impossible;      ///< per thread
  int shared_memory_at_most = impossible;  ///< bytes per block, static and dynamic together
  int barriers_at_most = impossible;       ///< per block
  int threads_per_block = impossible;      ///< another block size: the nearest smaller one, or else the nearest larger
  int blocks_at_most = impossible;         ///< only a smaller goal helps: at most so many blocks per SM
};

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool reaches(architecture const& arch, kernel_resources kernel,
                                             shared_memory_config const& config, int warps_per_block,
                                             residency_goal goal) {
  kernel.threads_per_block = warps_per_block * arch.warp_size;
  return resident_blocks(arch, kernel, config, warps_per_block) >= goal.blocks_of(warps_per_block);
}

/// Returns the nearest smaller block size with which `kernel` reaches the goal.
WARPGUARD_HOST_DEVICE constexpr int smaller_block_that_reaches(architecture const& arch, kernel_resources const& kernel,
                                                               shared_memory_config const& config,
                                                               residency_goal goal) {
  int const warps = divide_up(kernel.threads_per_block, arch.warp_size);
  for (int fewer = warps - 1; fewer >= 1; --fewer) {
    if (reaches(arch, kernel, config, fewer, goal)) return fewer * arch.warp_size;
  }
  return impossible;
}

/// Returns the nearest larger one.
WARPGUARD_HOST_DEVICE constexpr int larger_block_that_reaches(architecture const& arch, kernel_resources const& kernel,
                                                              shared_memory_config const& config, residency_goal goal) {
  int const warps = divide_up(kernel.threads_per_block, arch.warp_size);
  for (int more = warps + 1; more <= arch.max_threads_per_block / arch.warp_size; ++more) {
    if (reaches(arch, kernel, config, more, goal)) return more * arch.warp_size;
  }
  return impossible;
}

/// Returns the nearest smaller block size that reaches the goal, or else the nearest larger one.
WARPGUARD_HOST_DEVICE constexpr int block_size_that_reaches(architecture const& arch, kernel_resources const& kernel,
                                                            shared_memory_config const& config, residency_goal goal) {
  int const smaller = smaller_block_that_reaches(arch, kernel, config, goal);
  return smaller != impossible ? smaller : larger_block_that_reaches(arch, kernel, config, goal);
}

/// Returns a kernel that takes nothing but its threads and what no advice can change.
WARPGUARD_HOST_DEVICE constexpr kernel_resources without_amounts(kernel_resources kernel) {
  kernel.registers_per_thread = 0;
  kernel.static_shared_memory = 0;
  kernel.dynamic_shared_memory = 0;
  kernel.barriers = 0;
  return kernel;
}

/// Returns the most of one resource with which it allows `blocks` blocks, if it allows fewer now.
WARPGUARD_HOST_DEVICE constexpr int amount_that_allows(architecture const& arch, kernel_resources const& kernel,
                                                       shared_memory_config const& config, block_amount which,
                                                       int blocks) {
  kernel_resources const alone = with_amount(without_amounts(kernel), which, amount_of(kernel, which));
  return nearest_smaller(arch, alone, config, which, blocks);
}

}  // namespace detail

/// Returns what would let a kernel that can run reach `goal`. Registers, bytes and barriers change only if they limit.
/// If warp slots, block slots or virtual resources limit, the block size changes first: to one that suffices alone, or
/// else to one that suffices together with the other changes.
WARPGUARD_HOST_DEVICE constexpr advice what_fits(architecture_ref arch, kernel_resources kernel, residency_goal goal,
                                                 shared_memory_config config = {}) {
  advice result;
  occupancy now = occupancy_of(arch, kernel, config);
  if (now.blocks_per_sm < 1 || !is_valid(arch)) return result;
  int wanted = goal.blocks_of(now.warps_per_block);

  kernel_resources const bare = detail::without_amounts(kernel);
  if (detail::resident_blocks(arch, bare, config, now.warps_per_block) < wanted) {
    int other = detail::block_size_that_reaches(arch, kernel, config, goal);
    if (other == impossible) other = detail::block_size_that_reaches(arch, bare, config, goal);
    if (other == impossible) {
      result.blocks_at_most = now.blocks_per_sm;
      return result;
    }
    result.threads_per_block = other;
    kernel.threads_per_block = other;
    now = occupancy_of(arch, kernel, config);
    wanted = goal.blocks_of(now.warps_per_block);
  }

  if (now.blocks_by_registers < wanted) {
    result.registers_at_most =
        detail::amount_that_allows(arch, kernel, config, detail::block_amount::registers_per_thread, wanted);
  }
  if (now.blocks_by_shared_memory < wanted) {
    result.shared_memory_at_most =
        detail::amount_that_allows(arch, kernel, config, detail::block_amount::shared_memory, wanted);
  }
  if (now.blocks_by_barriers < wanted) {
    result.barriers_at_most = detail::amount_that_allows(arch, kernel, config, detail::block_amount::barriers, wanted);
  }
  return result;
}

}  // namespace warpguard
