// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What one step would give: for each resource alone, how far a kernel is from one block more and from one block fewer.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"
#include "single_change.hpp"

namespace warpguard {

/// Another amount of one resource, and what is resident with it if everything else stays as it is.
struct residency_step {
  int amount = impossible;  ///< `impossible`: no amount of this resource alone makes the step
  int blocks_per_sm = 0;    ///< resident blocks with this amount
  int warps_per_sm = 0;     ///< resident warps with this amount

  /// Whether an amount makes the step.
  WARPGUARD_HOST_DEVICE constexpr bool exists() const { return amount != impossible; }
};

/// The nearest steps of one resource. Only amounts that a block may have are tried: up to the most registers of a
/// thread, the most bytes and barriers of a block, the largest block.
struct resource_steps {
  int now = 0;                  ///< the kernel's amount
  int headroom = 0;             ///< how much more it may take without losing a block; 0 also if it cannot run
  residency_step more_blocks;   ///< the nearest smaller amount with which more blocks are resident
  residency_step fewer_blocks;  ///< the nearest larger amount with which fewer blocks are resident, maybe none
};

/// The nearest steps of every resource of a block.
struct residency_steps {
  resource_steps registers_per_thread;          ///< registers; if `now` is 0, the kernel's registers are not known
  resource_steps shared_memory;                 ///< bytes per block, static and dynamic together
  resource_steps barriers;                      ///< named barriers per block
  resource_steps threads_per_block;             ///< threads; the amounts of the steps are whole warps
  residency_step more_warps_in_smaller_blocks;  ///< threads: the nearest smaller block with more resident warps
  residency_step more_warps_in_larger_blocks;   ///< threads: the nearest larger block with more resident warps
};

namespace detail {

WARPGUARD_HOST_DEVICE constexpr residency_step step_to(architecture const& arch, kernel_resources const& kernel,
                                                       shared_memory_config const& config, block_amount which,
                                                       int amount) {
  residency_step step;
  if (amount == impossible) return step;
  kernel_resources const changed = with_amount(kernel, which, amount);
  int const warps = divide_up(changed.threads_per_block, arch.warp_size);
  step.amount = amount;
  step.blocks_per_sm = resident_blocks(arch, changed, config, warps);
  step.warps_per_sm = step.blocks_per_sm * warps;
  return step;
}

WARPGUARD_HOST_DEVICE constexpr resource_steps steps_of(architecture const& arch, kernel_resources const& kernel,
                                                        shared_memory_config const& config, block_amount which) {
  resource_steps steps;
  steps.now = amount_of(kernel, which);
  int const blocks = resident_blocks(arch, kernel, config, divide_up(kernel.threads_per_block, arch.warp_size));
  int const smaller = nearest_smaller(arch, kernel, config, which, blocks + 1);
  int larger = nearest_larger(arch, kernel, config, which, blocks);
  if (blocks > 0) {
    int const most = range_of(arch, which, config).most;
    steps.headroom = max_of((larger == impossible ? most + 1 : larger) - 1 - steps.now, 0);
  }
  if (which == block_amount::threads_per_block && larger != impossible) larger = round_up(larger, arch.warp_size);
  steps.more_blocks = step_to(arch, kernel, config, which, smaller);
  steps.fewer_blocks = step_to(arch, kernel, config, which, larger);
  return steps;
}

/// Returns the nearest block size in whole warps with more than `warps` resident warps: larger ones if `direction` is
/// 1, smaller ones if it is -1.
WARPGUARD_HOST_DEVICE constexpr residency_step nearest_with_more_warps(architecture const& arch,
                                                                       kernel_resources const& kernel,
                                                                       shared_memory_config const& config, int warps,
                                                                       int direction) {
  int const most = arch.max_threads_per_block / arch.warp_size;
  int size = divide_up(kernel.threads_per_block, arch.warp_size) + direction;
  if (direction < 0) size = min_of(size, most);
  for (; size >= 1 && size <= most; size += direction) {
    residency_step const step = step_to(arch, kernel, config, block_amount::threads_per_block, size * arch.warp_size);
    if (step.warps_per_sm > warps) return step;
  }
  return {};
}

}  // namespace detail

/// Returns for each resource alone the nearest amount with which more blocks of `kernel` are resident and the nearest
/// with which fewer are: "3 registers fewer: one block more; 1408 bytes more: one block fewer". Registers that are not
/// stated count as none. A kernel that cannot run has steps too, if one resource is the reason. Without a step are an
/// architecture that cannot be an SM, and a question that occupancy_of() cannot answer (see `obstacle`).
WARPGUARD_HOST_DEVICE constexpr residency_steps next_steps(architecture_ref arch, kernel_resources const& kernel,
                                                           shared_memory_config config = {}) {
  residency_steps steps;
  if (!is_valid(arch) || detail::obstacle_of(arch, kernel, config) != obstacle::none) return steps;
  steps.registers_per_thread = detail::steps_of(arch, kernel, config, detail::block_amount::registers_per_thread);
  steps.shared_memory = detail::steps_of(arch, kernel, config, detail::block_amount::shared_memory);
  steps.barriers = detail::steps_of(arch, kernel, config, detail::block_amount::barriers);
  steps.threads_per_block = detail::steps_of(arch, kernel, config, detail::block_amount::threads_per_block);
  int const warps = occupancy_of(arch, kernel, config).warps_per_sm;
  steps.more_warps_in_smaller_blocks = detail::nearest_with_more_warps(arch, kernel, config, warps, -1);
  steps.more_warps_in_larger_blocks = detail::nearest_with_more_warps(arch, kernel, config, warps, 1);
  return steps;
}

}  // namespace warpguard
