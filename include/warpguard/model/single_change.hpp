// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Changes one amount of a block and leaves the rest as it is: the nearest smaller amount with which enough blocks are
/// resident, and the nearest larger one with which fewer are. advice.hpp and next_steps.hpp ask for them.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard::detail {

/// The amounts that one change may change.
enum class block_amount {
  registers_per_thread,
  shared_memory,  ///< bytes, static and dynamic together
  barriers,
  threads_per_block,  ///< in whole warps
};

WARPGUARD_HOST_DEVICE constexpr int amount_of(kernel_resources const& kernel, block_amount which) {
  switch (which) {
    case block_amount::registers_per_thread: return kernel.registers_per_thread;
    case block_amount::barriers: return kernel.barriers;
    case block_amount::threads_per_block: return kernel.threads_per_block;
    default: break;
  }
  long long const bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;
  return static_cast<int>(min_of<long long>(bytes, unlimited));
}

WARPGUARD_HOST_DEVICE constexpr kernel_resources with_amount(kernel_resources kernel, block_amount which, int amount) {
  switch (which) {
    case block_amount::registers_per_thread: kernel.registers_per_thread = amount; break;
    case block_amount::barriers: kernel.barriers = amount; break;
    case block_amount::threads_per_block: kernel.threads_per_block = amount; break;
    case block_amount::shared_memory:
      kernel.static_shared_memory = 0;
      kernel.dynamic_shared_memory = amount;
      break;
  }
  return kernel;
}

/// The amounts that a block may have. Amounts of one allocation, such as 33 to 40 registers, have the same residency.
struct amount_range {
  int least;
  int most;
  int unit;     ///< what is allocated is a multiple of this
  int reserve;  ///< allocated beside the amount

  /// Returns the largest amount below `amount` that is the most of its allocation; `impossible` if there is none.
  WARPGUARD_HOST_DEVICE constexpr int next_smaller(int amount) const {
    if (amount > most) return most;
    int const smaller = (amount - 1 + reserve) / unit * unit - reserve;
    return amount > least && smaller >= least ? smaller : impossible;
  }
  /// Returns the smallest amount above `amount` that has another allocation; `impossible` if there is none.
  WARPGUARD_HOST_DEVICE constexpr int next_larger(int amount) const {
    if (amount >= most) return impossible;
    int const same = divide_up(amount + reserve, unit) * unit - reserve;
    return same < most ? same + 1 : impossible;
  }
};

/// Needs a valid row.
WARPGUARD_HOST_DEVICE constexpr amount_range range_of(architecture const& arch, block_amount which,
                                                      shared_memory_config const& config) {
  int const warp = arch.warp_size;
  switch (which) {
    case block_amount::registers_per_thread: return {1, arch.max_registers_per_thread, 1, 0};
    case block_amount::barriers: return {0, arch.named_barriers_per_block, 1, 0};
    case block_amount::threads_per_block: return {warp, arch.max_threads_per_block / warp * warp, warp, 0};
    default: break;
  }
  int const limit = config.opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default;
  int const unit = arch.shared_allocation_unit;
  int const reserve = arch.reserved_shared_per_block;
  return {0, (limit + reserve) / unit * unit - reserve, unit, reserve};
}

WARPGUARD_HOST_DEVICE constexpr int blocks_with(architecture const& arch, kernel_resources const& kernel,
                                                shared_memory_config const& config, block_amount which, int amount) {
  kernel_resources const changed = with_amount(kernel, which, amount);
  return resident_blocks(arch, changed, config, divide_up(changed.threads_per_block, arch.warp_size));
}

/// Returns the nearest smaller amount with which at least `blocks` blocks are resident; `impossible` if there is none.
/// Needs a valid row and a kernel that obstacle_of() accepts.
WARPGUARD_HOST_DEVICE constexpr int nearest_smaller(architecture const& arch, kernel_resources const& kernel,
                                                    shared_memory_config const& config, block_amount which,
                                                    int blocks) {
  amount_range const range = range_of(arch, which, config);
  if (blocks_with(arch, kernel, config, which, range.least) < blocks) return impossible;
  int const now = amount_of(kernel, which);
  if (which == block_amount::registers_per_thread || which == block_amount::barriers) {
    // Fewer of them are never worse, so bisect: constant expressions of refusals ask often.
    if (now <= range.least) return impossible;
    int fitting = range.least;
    for (int too_many = min_of(now, range.most + 1); too_many - fitting > 1;) {
      int const middle = fitting + (too_many - fitting) / 2;
      if (blocks_with(arch, kernel, config, which, middle) >= blocks) {
        fitting = middle;
      } else {
        too_many = middle;
      }
    }
    return fitting;
  }
  if (which == block_amount::shared_memory) {
    // The most of all amounts is the nearest, unless a cache preference makes fewer bytes worse.
    int const most = max_shared_bytes(arch, kernel, blocks, config);
    if (most < now) return most;
  }
  int amount = range.next_smaller(now);
  while (amount != impossible && blocks_with(arch, kernel, config, which, amount) < blocks) {
    amount = range.next_smaller(amount);
  }
  return amount;
}

/// Returns the nearest larger amount with which fewer than `blocks` blocks are resident; `impossible` if there is none
/// that a block may have.
WARPGUARD_HOST_DEVICE constexpr int nearest_larger(architecture const& arch, kernel_resources const& kernel,
                                                   shared_memory_config const& config, block_amount which, int blocks) {
  amount_range const range = range_of(arch, which, config);
  if (amount_of(kernel, which) >= range.most) return impossible;
  if (blocks_with(arch, kernel, config, which, range.most) >= blocks) return impossible;
  int amount = range.next_larger(amount_of(kernel, which));
  while (amount != impossible && blocks_with(arch, kernel, config, which, amount) >= blocks) {
    amount = range.next_larger(amount);
  }
  return amount;
}

}  // namespace warpguard::detail
