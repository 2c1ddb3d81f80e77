// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a kernel can trade: more resident warps for fewer registers or less shared memory, over all block sizes.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// A block size, a residency, and the most that a block may take to have it.
struct trade_off {
  int threads_per_block;      ///< whole warps
  int blocks_per_sm;          ///< resident blocks
  int warps_per_sm;           ///< resident warps
  int registers_at_most;      ///< per thread
  int shared_memory_at_most;  ///< bytes per block, static and dynamic together

  /// Whether this is a better choice than `other` whatever one prefers: at least as many resident warps, registers per
  /// thread and bytes per block, and more of one of them.
  WARPGUARD_HOST_DEVICE constexpr bool dominates(trade_off const& other) const {
    if (warps_per_sm < other.warps_per_sm || registers_at_most < other.registers_at_most ||
        shared_memory_at_most < other.shared_memory_at_most) {
      return false;
    }
    return warps_per_sm > other.warps_per_sm || registers_at_most > other.registers_at_most ||
           shared_memory_at_most > other.shared_memory_at_most;
  }
};

/// The trade-offs that no other dominates, by blocks per SM and then by threads, both ascending.
struct trade_off_list {
  /// Enough for each row of the table, which has at most 216 pairs of a block size and a residency.
  static constexpr int capacity = 256;

  trade_off entries[capacity] = {};  ///< the first `count` are in use
  int count = 0;                     ///< entries
  bool is_complete = true;           ///< false if an architecture that is not in the table has more

  /// The first entry.
  WARPGUARD_HOST_DEVICE constexpr trade_off const* begin() const { return entries; }
  /// The end of the entries.
  WARPGUARD_HOST_DEVICE constexpr trade_off const* end() const { return entries + count; }
};

namespace detail {

/// Adds an entry unless one of the list dominates it, and removes those that it dominates.
WARPGUARD_HOST_DEVICE constexpr void add_trade_off(trade_off_list& list, trade_off const& added) {
  for (int index = 0; index < list.count; ++index) {
    if (list.entries[index].dominates(added)) return;
  }
  int kept = 0;
  for (int index = 0; index < list.count; ++index) {
    if (added.dominates(list.entries[index])) continue;
    if (kept != index) list.entries[kept] = list.entries[index];
    ++kept;
  }
  if (kept < trade_off_list::capacity) {
    list.entries[kept++] = added;
  } else {
    list.is_complete = false;
  }
  list.count = kept;
}

/// Returns the most registers per thread below `registers`, 1 or more, that may allow more blocks; 0 if there are none.
WARPGUARD_HOST_DEVICE constexpr int next_fewer_registers(architecture const& arch, int registers) {
  register_files const files = files_of(arch, registers);
  bool const has_one_unit =
      arch.register_allocation_granularity == granularity::warp && !has_rule(arch, allocation_rule::fermi_unit);
  return has_one_unit ? (files.per_warp - files.unit) / arch.warp_size : registers - 1;
}

/// Returns the blocks of `warps` warps that warp slots and registers allow; `registers` is 1 or more.
WARPGUARD_HOST_DEVICE constexpr int blocks_with_registers(architecture const& arch, kernel_resources kernel, int warps,
                                                          int registers) {
  bool halved = false;
  int unused_amount = 0;
  kernel.registers_per_thread = registers;
  int const by_registers = find_register_limit(arch, kernel, warps, halved, unused_amount);
  return min_of(by_registers, blocks_by_warps(arch, warps * arch.warp_size, warps, halved));
}

}  // namespace detail

/// Returns the trade-offs that are left to `kernel`: the pairs of a block size (whole warps, at most `max_threads`; 0:
/// the architecture's largest) and a number of resident blocks (at least `min_blocks`) with which a block may take at
/// least the kernel's registers, shared memory, barriers and virtual resources. Leave 0 what is still open. Of these,
/// only those that no other dominates. `kernel.threads_per_block` is ignored. Empty if nothing fits, and for a question
/// that occupancy_of() cannot answer.
WARPGUARD_HOST_DEVICE constexpr trade_off_list trade_offs(architecture_ref arch, kernel_resources kernel,
                                                          int max_threads = 0, int min_blocks = 1,
                                                          shared_memory_config config = {}) {
  trade_off_list list;
  kernel.threads_per_block = arch.warp_size;
  if (!is_valid(arch) || detail::obstacle_of(arch, kernel, config) != obstacle::none) return list;
  int largest = arch.max_threads_per_block;
  if (max_threads != 0) largest = detail::min_of(largest, max_threads);
  int const max_warps = largest / arch.warp_size;
  if (max_warps < 1) return list;
  int const least_registers = detail::max_of(kernel.registers_per_thread, 1);
  long long const least_bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;

  kernel_resources bare{arch.warp_size, 0, 0, 0, kernel.barriers, kernel.virtual_resources, kernel.caching};
  int const most_blocks = detail::resident_blocks(arch, bare, config, 1);
  int registers_of_one_warp = arch.max_registers_per_thread;
  for (int blocks = detail::max_of(min_blocks, 1); blocks <= most_blocks; ++blocks) {
    int const bytes = max_shared_bytes(arch, bare, blocks, config);
    if (bytes < least_bytes) break;
    // Larger blocks may have as many registers, or fewer; so may more blocks of one warp.
    int registers = registers_of_one_warp;
    for (int warps = 1; warps <= max_warps; ++warps) {
      if (detail::blocks_by_warps(arch, warps * arch.warp_size, warps, false) < blocks) break;
      while (registers >= least_registers && detail::blocks_with_registers(arch, kernel, warps, registers) < blocks) {
        registers = detail::next_fewer_registers(arch, registers);
      }
      if (registers < least_registers) break;
      if (warps == 1) registers_of_one_warp = registers;
      detail::add_trade_off(list, {warps * arch.warp_size, blocks, blocks * warps, registers, bytes});
    }
  }
  return list;
}

}  // namespace warpguard
