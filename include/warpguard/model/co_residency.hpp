// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Two kernels on one SM: how many blocks of one fit beside blocks of the other. What a block takes is occupancy.hpp's.
///
/// NVIDIA publishes what one kernel's blocks take, and not how the SM deals with two kernels. Published limits are
/// added up exactly: warp slots, block slots, shared memory with the driver's reserve, barriers from 9.0 on. Assumed,
/// each time so that no block is promised a place that it may not get:
/// - Both kernels run, in streams or contexts that let them; 1.x runs one at a time.
/// - Warps of the first kernel spread evenly over the sub-partitions, and every register file is counted as if it held
///   the fuller share. Where warps of both take equally many registers, they are counted like those of one kernel.
/// - The carve-out is one for both, the smaller of those that each would get alone.
/// - Blocks of a kernel with partitioned global caching (5.2, 5.3, 6.1, 6.2) share an SM with no other kernel.

#pragma once

#include "../hardware/architecture.hpp"
#include "capacity.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

namespace detail {

/// Blocks of `b` whose registers fit beside `warps_of_a` warps of `a`; both have registers and run alone.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_registers_beside(architecture const& arch, register_files const& a,
                                                               int warps_of_a, register_files const& b,
                                                               int warps_per_block) {
  if (a.per_warp == b.per_warp) return (b.warps - warps_of_a) / warps_per_block;
  int const parts = arch.sub_partitions;
  // The fuller share may be a warp more than a file holds, because NVIDIA counts all files as one pool.
  int const left = arch.registers_per_sm / parts - divide_up(warps_of_a, parts) * a.per_warp;
  return left < 0 ? 0 : left / b.per_warp * parts / warps_per_block;
}

/// Blocks that share what `blocks_of_a` blocks leave of a resource.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_rest(long long available, int blocks_of_a, int per_block_of_a,
                                                   int per_block) {
  if (per_block <= 0) return unlimited;
  long long const left = available - 1LL * blocks_of_a * per_block_of_a;
  return left < 0 ? 0 : static_cast<int>(left / per_block);
}

}  // namespace detail

/// Blocks of `b` that fit on an SM beside `blocks_of_a` blocks of `a`: 0 where there is no room; `impossible` where
/// not even one block of `b` runs alone, where so many blocks of `a` alone do not fit, or blocks_of_a is negative.
/// Beside 0 blocks it is b's own residency. `config` is how both kernels have shared memory configured.
WARPGUARD_HOST_DEVICE constexpr int blocks_beside(architecture_ref arch, kernel_resources const& a, int blocks_of_a,
                                                  kernel_resources const& b, shared_memory_config config = {}) {
  if (!is_valid(arch) || blocks_of_a < 0) return impossible;
  occupancy const b_alone = occupancy_of(arch, b, config);
  if (b_alone.blocks_per_sm < 1) return impossible;
  if (blocks_of_a == 0) return b_alone.blocks_per_sm;
  occupancy const a_alone = occupancy_of(arch, a, config);
  if (a_alone.blocks_per_sm < blocks_of_a) return impossible;

  if (arch.register_allocation_granularity == granularity::block) return 0;
  if (detail::asks_for_half(arch, a.caching) || detail::asks_for_half(arch, b.caching)) return 0;

  int const warps_of_a = blocks_of_a * a_alone.warps_per_block;
  int blocks = detail::min_of(b_alone.blocks_per_sm, arch.max_blocks_per_sm - blocks_of_a);
  blocks = detail::min_of(blocks, (arch.max_warps_per_sm - warps_of_a) / b_alone.warps_per_block);
  if (a.registers_per_thread > 0 && b.registers_per_thread > 0) {
    blocks = detail::min_of(blocks, detail::blocks_by_registers_beside(
                                        arch, detail::files_of(arch, a.registers_per_thread), warps_of_a,
                                        detail::files_of(arch, b.registers_per_thread), b_alone.warps_per_block));
  }
  int const budget = detail::min_of(a_alone.shared_memory_budget, b_alone.shared_memory_budget);
  blocks = detail::min_of(blocks, detail::blocks_by_rest(budget, blocks_of_a, a_alone.shared_memory_per_block,
                                                         b_alone.shared_memory_per_block));
  if (detail::has_rule(arch, allocation_rule::barriers)) {
    blocks =
        detail::min_of(blocks, detail::blocks_by_rest(arch.block_barriers_per_sm, blocks_of_a, a.barriers, b.barriers));
  }
  if (arch.virtual_resources_per_sm > 0) {
    blocks = detail::min_of(blocks, detail::blocks_by_rest(arch.virtual_resources_per_sm, blocks_of_a,
                                                           a.virtual_resources, b.virtual_resources));
  }
  return blocks;
}

/// Whether a block of each fits on an SM at the same time.
WARPGUARD_HOST_DEVICE constexpr bool fit_together(architecture_ref arch, kernel_resources const& a,
                                                  kernel_resources const& b, shared_memory_config config = {}) {
  return blocks_beside(arch, a, 1, b, config) >= 1 && blocks_beside(arch, b, 1, a, config) >= 1;
}

}  // namespace warpguard
