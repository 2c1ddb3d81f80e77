// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// How a grid fills a GPU: the blocks that are resident on the whole device, the waves in which a grid runs, and the
/// tail that leaves slots idle. A model: it takes all blocks to last equally long and the GPU to be empty. For the
/// number of SMs, ask cudaDevAttrMultiProcessorCount.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// Why a question about a grid has no answer; the first in this order is reported.
enum class grid_fault {
  none,           ///< there is an answer
  sms,            ///< fewer than 1 SM
  blocks_per_sm,  ///< not one block is resident on an SM
  grid,           ///< fewer than 1 block
};

/// Returns the blocks that are resident on `sms` SMs, which is the smallest grid that fills the device; `impossible`
/// without an SM or a resident block.
WARPGUARD_HOST_DEVICE constexpr long long blocks_on_device(int sms, int blocks_per_sm) {
  return sms < 1 || blocks_per_sm < 1 ? impossible : 1LL * sms * blocks_per_sm;
}
/// The same for a kernel.
WARPGUARD_HOST_DEVICE constexpr long long blocks_on_device(architecture_ref arch, kernel_resources const& kernel,
                                                           int sms, shared_memory_config config = {}) {
  return blocks_on_device(sms, occupancy_of(arch, kernel, config).blocks_per_sm);
}

/// How a grid runs. A slot is the place of one resident block; a wave is one block in each slot.
struct grid_waves {
  grid_fault fault = grid_fault::none;  ///< otherwise all numbers are 0
  long long grid = 0;                   ///< blocks
  long long slots = 0;                  ///< blocks that are resident on the device at once
  long long full_waves = 0;             ///< waves that use every slot
  long long tail_blocks = 0;            ///< blocks of the last wave if it does not use every slot; otherwise 0
  long long idle_slots = 0;             ///< slots that the last wave does not use

  /// Whether the question has an answer.
  WARPGUARD_HOST_DEVICE constexpr bool holds() const { return fault == grid_fault::none; }
  /// Returns the waves, the tail counted as one.
  WARPGUARD_HOST_DEVICE constexpr long long waves() const { return full_waves + (tail_blocks > 0 ? 1 : 0); }
  /// Returns the slots of all waves. The grid uses `grid` of them; this fraction is the efficiency. (Unsigned, because
  /// a grid of almost 2^63 blocks may have more slots.)
  WARPGUARD_HOST_DEVICE constexpr unsigned long long offered_slots() const {
    return static_cast<unsigned long long>(grid) + static_cast<unsigned long long>(idle_slots);
  }
  /// Returns the efficiency in percent, for printing.
  WARPGUARD_HOST_DEVICE constexpr double percent() const {
    return holds() && grid > 0 ? 100.0 * static_cast<double>(grid) / static_cast<double>(offered_slots()) : 0.0;
  }
  /// Returns the part of the slots that the tail uses in percent, for printing; 100 without a tail.
  WARPGUARD_HOST_DEVICE constexpr double tail_percent() const {
    if (tail_blocks == 0) return holds() && grid > 0 ? 100.0 : 0.0;
    return 100.0 * static_cast<double>(tail_blocks) / static_cast<double>(slots);
  }
};

/// Returns how a grid of `grid` blocks, at most 2^63 - 1, runs on `sms` SMs that hold `blocks_per_sm` blocks each.
WARPGUARD_HOST_DEVICE constexpr grid_waves waves_of(int sms, int blocks_per_sm, long long grid) {
  grid_waves result;
  if (grid < 1) result.fault = grid_fault::grid;
  if (blocks_per_sm < 1) result.fault = grid_fault::blocks_per_sm;
  if (sms < 1) result.fault = grid_fault::sms;
  if (!result.holds()) return result;
  result.grid = grid;
  result.slots = blocks_on_device(sms, blocks_per_sm);
  result.full_waves = grid / result.slots;
  result.tail_blocks = grid % result.slots;
  result.idle_slots = result.tail_blocks > 0 ? result.slots - result.tail_blocks : 0;
  return result;
}
/// The same for a kernel.
WARPGUARD_HOST_DEVICE constexpr grid_waves waves_of(architecture_ref arch, kernel_resources const& kernel, int sms,
                                                    long long grid, shared_memory_config config = {}) {
  return waves_of(sms, occupancy_of(arch, kernel, config).blocks_per_sm, grid);
}

/// Returns the grid that leaves the fewest slots idle, of those that differ from `wanted` by at most `within` blocks;
/// of several the one nearest to `wanted`, and of two as near the smaller one. `impossible` without an SM, a resident
/// block or a wanted block, and if `within` is negative.
WARPGUARD_HOST_DEVICE constexpr long long best_grid_near(int sms, int blocks_per_sm, long long wanted,
                                                         long long within) {
  constexpr long long most = 9223372036854775807;
  long long const slots = blocks_on_device(sms, blocks_per_sm);
  if (slots < 1 || wanted < 1 || within < 0) return impossible;
  long long const last = within > most - wanted ? most : wanted + within;
  long long const below = wanted / slots * slots;
  bool const has_above = below <= most - slots && below + slots <= last;
  bool const has_below = below >= 1 && wanted - below <= within;
  if (has_below && (!has_above || wanted - below <= below + slots - wanted)) return below;
  // Without whole waves in reach, all grids have the same last wave, which the largest fills most.
  return has_above ? below + slots : last;
}

/// An even split of items among the blocks of a grid, for persistent kernels: no block gets two items more than
/// another. Use it in the kernel too.
struct even_split {
  long long items_per_block = 0;   ///< that every block gets
  long long blocks_with_more = 0;  ///< the first blocks, which get one item more
  long long blocks = 0;            ///< 0: the split was refused

  /// Whether the numbers could be split; false if they were refused.
  WARPGUARD_HOST_DEVICE constexpr bool holds() const { return blocks > 0; }
  /// Returns the items of a block, 0 to `blocks` - 1; of another number 0.
  WARPGUARD_HOST_DEVICE constexpr long long count_of(long long block) const {
    if (block < 0 || block >= blocks) return 0;
    return items_per_block + (block < blocks_with_more ? 1 : 0);
  }
  /// Returns the first item of a block, 0 to `blocks` - 1.
  WARPGUARD_HOST_DEVICE constexpr long long first_of(long long block) const {
    return items_per_block * block + detail::min_of(block, blocks_with_more);
  }
};

/// Splits `items`, 0 or more, among `blocks`, 1 or more; other numbers are refused.
WARPGUARD_HOST_DEVICE constexpr even_split split_evenly(long long items, long long blocks) {
  if (items < 0 || blocks < 1) return {};
  return {items / blocks, items % blocks, blocks};
}

}  // namespace warpguard
