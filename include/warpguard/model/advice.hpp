// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What to change so that a kernel reaches a wanted residency.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// The blocks and the warps that should be resident on one SM, at least. 0 asks for nothing.
struct residency_goal {
  int blocks;
  int warps;

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

WARPGUARD_HOST_DEVICE constexpr bool reaches(architecture const& arch, kernel_resources kernel, int warps_per_block,
                                             residency_goal goal) {
  kernel.threads_per_block = warps_per_block * arch.warp_size;
  return occupancy_of(arch, kernel).blocks_per_sm >= goal.blocks_of(warps_per_block);
}

/// Returns the nearest smaller block size, or else the nearest larger one, with which `kernel` reaches the goal.
WARPGUARD_HOST_DEVICE constexpr int block_size_that_reaches(architecture const& arch, kernel_resources const& kernel,
                                                            residency_goal goal) {
  int const warps = divide_up(kernel.threads_per_block, arch.warp_size);
  for (int fewer = warps - 1; fewer >= 1; --fewer) {
    if (reaches(arch, kernel, fewer, goal)) return fewer * arch.warp_size;
  }
  for (int more = warps + 1; more <= arch.max_threads_per_block / arch.warp_size; ++more) {
    if (reaches(arch, kernel, more, goal)) return more * arch.warp_size;
  }
  return impossible;
}

}  // namespace detail

/// Returns what would let a kernel that can run reach `goal`. Registers, bytes and barriers change only if they limit.
/// If warp slots or block slots limit, the block size changes first: to one that suffices alone, or else to one that
/// suffices together with the other changes.
WARPGUARD_HOST_DEVICE constexpr advice what_fits(architecture_ref arch, kernel_resources kernel, residency_goal goal) {
  advice result;
  occupancy now = occupancy_of(arch, kernel);
  if (now.blocks_per_sm < 1) return result;
  int wanted = goal.blocks_of(now.warps_per_block);

  if (now.blocks_by_warps < wanted || now.blocks_by_block_slots < wanted) {
    int other = detail::block_size_that_reaches(arch, kernel, goal);
    if (other == impossible) other = detail::block_size_that_reaches(arch, {kernel.threads_per_block}, goal);
    if (other == impossible) {
      result.blocks_at_most = now.blocks_per_sm;
      return result;
    }
    result.threads_per_block = other;
    kernel.threads_per_block = other;
    now = occupancy_of(arch, kernel);
    wanted = goal.blocks_of(now.warps_per_block);
  }

  if (now.blocks_by_registers < wanted) {
    result.registers_at_most = max_registers_per_thread(arch, kernel.threads_per_block, wanted);
  }
  if (now.blocks_by_shared_memory < wanted) {
    result.shared_memory_at_most = max_shared_bytes(arch, {kernel.threads_per_block}, wanted);
  }
  if (now.blocks_by_barriers < wanted) result.barriers_at_most = arch.block_barriers_per_sm / wanted;
  return result;
}

}  // namespace warpguard
