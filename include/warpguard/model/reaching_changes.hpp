// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which change of one resource alone lets a kernel reach a wanted residency. advice.hpp has the changes that reach it
/// together.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "advice.hpp"
#include "allocation.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"
#include "single_change.hpp"

namespace warpguard {

/// For each resource alone the nearest change that reaches a goal if everything else stays as it is; `impossible` where
/// this resource alone cannot.
struct single_changes {
  int registers_at_most = impossible;      ///< per thread
  int shared_memory_at_most = impossible;  ///< bytes per block, static and dynamic together
  int barriers_at_most = impossible;       ///< per block
  int smaller_block = impossible;          ///< threads per block, in whole warps
  int larger_block = impossible;           ///< the same; helps only a goal in warps
};

/// Returns for each resource alone the change with which a kernel reaches `goal`; what_fits() returns the changes that
/// reach it together. Nothing if the goal is reached already, or if the architecture cannot be an SM.
WARPGUARD_HOST_DEVICE constexpr single_changes changes_that_reach(architecture_ref arch, kernel_resources const& kernel,
                                                                  residency_goal goal,
                                                                  shared_memory_config config = {}) {
  single_changes changes;
  if (!is_valid(arch) || detail::obstacle_of(arch, kernel, config) != obstacle::none) return changes;
  int const warps = detail::divide_up(kernel.threads_per_block, arch.warp_size);
  int const wanted = goal.blocks_of(warps);
  if (detail::resident_blocks(arch, kernel, config, warps) >= wanted) return changes;
  changes.registers_at_most =
      detail::nearest_smaller(arch, kernel, config, detail::block_amount::registers_per_thread, wanted);
  changes.shared_memory_at_most =
      detail::nearest_smaller(arch, kernel, config, detail::block_amount::shared_memory, wanted);
  changes.barriers_at_most = detail::nearest_smaller(arch, kernel, config, detail::block_amount::barriers, wanted);
  changes.smaller_block = detail::smaller_block_that_reaches(arch, kernel, config, goal);
  changes.larger_block = detail::larger_block_that_reaches(arch, kernel, config, goal);
  return changes;
}

}  // namespace warpguard
