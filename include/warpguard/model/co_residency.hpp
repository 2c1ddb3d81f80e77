// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Two kernels on one SM: how many blocks of one fit beside blocks of the other.
///
/// NVIDIA publishes what the blocks of one kernel take, but not how an SM divides its resources between two kernels.
/// Published limits are added exactly: warp slots, block slots, shared memory with the driver's reserve, barriers from
/// 9.0 on. The rest is assumed, always so that the answer is never too high:
/// - Both kernels run, in streams or contexts that allow it; 1.x runs one kernel at a time.
/// - Warps of the first kernel spread evenly over the sub-partitions, and every register file is counted as if it held
///   the fuller share. If warps of both kernels take equally many registers, they are counted like those of one kernel.
/// - Both kernels have one carve-out, the smaller of the two that they would get alone.
/// - Blocks of a kernel with partitioned global caching (5.2, 5.3, 6.1, 6.2) share an SM with no other kernel.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

namespace detail {

/// Returns the blocks of the second kernel whose registers fit beside `first_warps` warps of the first.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_registers_beside(architecture const& arch, register_files const& first,
                                                               int first_warps, register_files const& second,
                                                               int second_warps_per_block) {
  if (first.per_warp == second.per_warp) return (second.warps - first_warps) / second_warps_per_block;
  int const parts = arch.sub_partitions;
  // The fuller share may be a warp more than a file holds, because NVIDIA counts all files as one pool.
  int const left = arch.registers_per_sm / parts - divide_up(first_warps, parts) * first.per_warp;
  return left < 0 ? 0 : left / second.per_warp * parts / second_warps_per_block;
}

/// Returns the blocks that share what `first_blocks` blocks leave of a resource.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_rest(long long available, int first_blocks, int first_per_block,
                                                   int second_per_block) {
  if (second_per_block <= 0) return unlimited;
  long long const left = available - 1LL * first_blocks * first_per_block;
  return left < 0 ? 0 : static_cast<int>(left / second_per_block);
}

}  // namespace detail

/// Returns the blocks of `second` that fit on an SM beside `first_blocks` blocks of `first`; 0 if there is no room.
/// `impossible` if not even one block of `second` runs alone, if so many blocks of `first` do not fit alone, or if
/// `first_blocks` is negative. Beside 0 blocks the answer is `second`'s own residency. `config` is that of both
/// kernels.
WARPGUARD_HOST_DEVICE constexpr int blocks_beside(architecture_ref arch, kernel_resources const& first,
                                                  int first_blocks, kernel_resources const& second,
                                                  shared_memory_config config = {}) {
  if (!is_valid(arch) || first_blocks < 0) return impossible;
  occupancy const second_alone = occupancy_of(arch, second, config);
  if (second_alone.blocks_per_sm < 1) return impossible;
  if (first_blocks == 0) return second_alone.blocks_per_sm;
  occupancy const first_alone = occupancy_of(arch, first, config);
  if (first_alone.blocks_per_sm < first_blocks) return impossible;

  if (arch.register_allocation_granularity == granularity::block) return 0;
  if (detail::asks_for_half(arch, first.caching) || detail::asks_for_half(arch, second.caching)) return 0;

  int const first_warps = first_blocks * first_alone.warps_per_block;
  int blocks = detail::min_of(second_alone.blocks_per_sm, arch.max_blocks_per_sm - first_blocks);
  blocks = detail::min_of(blocks, (arch.max_warps_per_sm - first_warps) / second_alone.warps_per_block);
  if (first.registers_per_thread > 0 && second.registers_per_thread > 0) {
    blocks =
        detail::min_of(blocks, detail::blocks_by_registers_beside(
                                   arch, detail::files_of(arch, first.registers_per_thread), first_warps,
                                   detail::files_of(arch, second.registers_per_thread), second_alone.warps_per_block));
  }
  int const budget = detail::min_of(first_alone.shared_memory_budget, second_alone.shared_memory_budget);
  blocks = detail::min_of(blocks, detail::blocks_by_rest(budget, first_blocks, first_alone.shared_memory_per_block,
                                                         second_alone.shared_memory_per_block));
  if (detail::has_rule(arch, allocation_rule::barriers)) {
    blocks = detail::min_of(
        blocks, detail::blocks_by_rest(arch.block_barriers_per_sm, first_blocks, first.barriers, second.barriers));
  }
  if (arch.virtual_resources_per_sm > 0) {
    blocks = detail::min_of(blocks, detail::blocks_by_rest(arch.virtual_resources_per_sm, first_blocks,
                                                           first.virtual_resources, second.virtual_resources));
  }
  return blocks;
}

/// Whether a block of each kernel fits on an SM at the same time.
WARPGUARD_HOST_DEVICE constexpr bool fit_together(architecture_ref arch, kernel_resources const& first,
                                                  kernel_resources const& second, shared_memory_config config = {}) {
  return blocks_beside(arch, first, 1, second, config) >= 1 && blocks_beside(arch, second, 1, first, config) >= 1;
}

}  // namespace warpguard
