// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The allocation rules: what one block takes of each resource of an SM, and how many blocks the resource allows.
/// occupancy.hpp combines them. Every function needs a computable row and amounts that are not negative.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"

namespace warpguard {

/// In `occupancy::blocks_by_...`: this resource does not limit.
inline constexpr int unlimited = 2147483647;

namespace detail {

// ---- Warps ----------------------------------------------------------------------------------------------------------

/// Returns the warp slots that a block takes; 1.x allocates warp slots and registers for pairs of warps.
WARPGUARD_HOST_DEVICE constexpr long long allocated_warps(architecture const& arch, int warps) {
  if (arch.register_allocation_granularity == granularity::warp) return warps;
  return round_up<long long>(warps, arch.warp_allocation_granularity);
}

/// `halved`: each block lives in one half of the SM.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_warps(architecture const& arch, int threads, int warps, bool halved) {
  if (threads > arch.max_threads_per_block) return 0;
  int const per_block = static_cast<int>(allocated_warps(arch, warps));
  return halved ? arch.max_warps_per_sm / 2 / per_block * 2 : arch.max_warps_per_sm / per_block;
}

// ---- Registers ------------------------------------------------------------------------------------------------------

WARPGUARD_HOST_DEVICE constexpr int register_unit(architecture const& arch, int registers_per_thread) {
  if (has_rule(arch, allocation_rule::fermi_unit)) {
    constexpr int doubled[] = {21, 22, 29, 30, 37, 38, 45, 46};
    for (int registers : doubled) {
      if (registers == registers_per_thread) return 2 * arch.register_allocation_unit;
    }
  }
  return arch.register_allocation_unit;
}

/// How the register files of an SM hold warps of one kernel, before warps are grouped into blocks.
struct register_files {
  int unit;      ///< registers are allocated in multiples of this
  int per_warp;  ///< registers of a warp; not rounded if registers are allocated for whole blocks
  int warps;     ///< warps that all files of the SM hold together
};

/// Needs 1 <= registers <= max_registers_per_thread.
WARPGUARD_HOST_DEVICE constexpr register_files files_of(architecture const& arch, int registers) {
  int const unit = register_unit(arch, registers);
  int const exact = registers * arch.warp_size;
  if (arch.register_allocation_granularity == granularity::block) return {unit, exact, arch.registers_per_sm / exact};
  int const per_warp = round_up(exact, unit);
  unsigned const parts = static_cast<unsigned>(arch.sub_partitions);
  unsigned const per_file = static_cast<unsigned>(arch.registers_per_sm) / (static_cast<unsigned>(per_warp) * parts);
  return {unit, per_warp, static_cast<int>(per_file * parts)};
}

/// Whether a block may have its registers at all. The hardware checks the block as if its warps filled all
/// sub-partitions evenly, before it allocates each warp's registers from its sub-partition's file.
WARPGUARD_HOST_DEVICE constexpr bool fits_files(architecture const& arch, register_files const& files, int warps) {
  int const multiple = arch.warp_allocation_granularity;
  if (files.per_warp * round_up<long long>(warps, multiple) > arch.max_registers_per_block) return false;
  if (!has_rule(arch, allocation_rule::gp100)) return true;
  // 6.0 applies the check also to an SM with twice the sub-partitions, where each file holds half the warps.
  int const halved = files.warps / arch.sub_partitions / 2 * 2 * arch.sub_partitions;
  return warps <= halved && files.per_warp * round_up<long long>(warps, 2 * multiple) <= arch.max_registers_per_block;
}

/// Returns the registers that a block takes, or 0 if they are more than it may have.
WARPGUARD_HOST_DEVICE constexpr int registers_of_block(architecture const& arch, register_files const& files,
                                                       int warps) {
  if (arch.register_allocation_granularity == granularity::block) {
    long long const wanted = round_up<long long>(files.per_warp * allocated_warps(arch, warps), files.unit);
    return wanted <= arch.max_registers_per_block ? static_cast<int>(wanted) : 0;
  }
  return fits_files(arch, files, warps) ? files.per_warp * warps : 0;
}

/// Returns the blocks whose registers the whole SM holds. `per_block` is the result of registers_of_block().
WARPGUARD_HOST_DEVICE constexpr int blocks_by_registers(architecture const& arch, register_files const& files,
                                                        int warps, int per_block) {
  if (per_block == 0) return 0;
  bool const per_warp = arch.register_allocation_granularity == granularity::warp;
  return per_warp ? files.warps / warps : arch.registers_per_sm / per_block;
}

/// Whether each block is to live in one half of the SM. It may still get the whole SM if its registers do not fit.
WARPGUARD_HOST_DEVICE constexpr bool asks_for_half(architecture const& arch, partitioned_caching caching) {
  return caching != partitioned_caching::off && has_rule(arch, allocation_rule::partitioned);
}

/// Returns the blocks whose registers fit if each block lives in one half of the SM, or -1 if blocks get the whole SM
/// after all. `on_whole` is the result of blocks_by_registers().
WARPGUARD_HOST_DEVICE constexpr int blocks_by_halves(architecture const& arch, register_files const& files, int warps,
                                                     partitioned_caching caching, int on_whole) {
  if (on_whole == 0 || arch.register_allocation_granularity == granularity::block) return on_whole;
  int const blocks = files.warps / arch.sub_partitions * (arch.sub_partitions / 2) / warps * 2;
  return blocks > 0 || caching == partitioned_caching::strict ? blocks : -1;
}

// ---- Shared memory --------------------------------------------------------------------------------------------------

WARPGUARD_HOST_DEVICE constexpr bool is_valid(shared_memory_config const& config) {
  return config.carveout_percent >= -1 && config.carveout_percent <= 100 &&
         static_cast<unsigned>(config.preference) <= static_cast<unsigned>(cache_preference::equal);
}

/// Returns carve-out `index` in bytes, at most the whole shared memory.
WARPGUARD_HOST_DEVICE constexpr int carveout_bytes(architecture const& arch, int index) {
  int const kb = arch.carveouts_kb[index];
  if (kb <= 0) return 0;
  return kb < arch.shared_memory_per_sm / 1024 ? kb * 1024 : arch.shared_memory_per_sm;
}

/// Returns the smallest carve-out of at least `bytes`, in bytes.
WARPGUARD_HOST_DEVICE constexpr int carveout_of_at_least(architecture const& arch, int bytes) {
  for (int index = 0; index < 10; ++index) {
    if (carveout_bytes(arch, index) >= bytes) return carveout_bytes(arch, index);
  }
  return arch.shared_memory_per_sm;
}

/// Returns the bytes that all blocks of an SM share, if one block needs `per_block` of them.
WARPGUARD_HOST_DEVICE constexpr int shared_memory_budget(architecture const& arch, shared_memory_config const& config,
                                                         int per_block) {
  int const whole = arch.shared_memory_per_sm;
  bool const prefers_shared =
      config.preference == cache_preference::none || config.preference == cache_preference::shared;
  if (prefers_shared && config.carveout_percent < 0) return whole;

  if (has_rule(arch, allocation_rule::carveouts)) {
    int percent = config.carveout_percent;
    if (percent < 0) percent = config.preference == cache_preference::equal ? 50 : 0;
    int const preferred = carveout_of_at_least(arch, static_cast<int>(1LL * percent * whole / 100));
    return preferred >= per_block ? preferred : carveout_of_at_least(arch, per_block);
  }
  // Fermi and Kepler prefer one of two or three splits; a block that does not fit gets the largest.
  int preferred = whole;
  if (config.preference == cache_preference::l1) preferred = carveout_bytes(arch, 0);
  if (config.preference == cache_preference::equal && arch.carveouts_kb[2] != 0) preferred = carveout_bytes(arch, 1);
  return preferred >= per_block ? preferred : whole;
}

/// Returns the bytes that a block of `bytes` static and dynamic bytes takes, with the driver's reserve and rounded up,
/// or -1 if they are more than it may have.
WARPGUARD_HOST_DEVICE constexpr int shared_memory_of_block(architecture const& arch, shared_memory_config const& config,
                                                           long long bytes) {
  int const most = config.opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default;
  if (bytes > most) return -1;
  int const unit = arch.shared_allocation_unit;
  int const rounded = (static_cast<int>(bytes) + arch.reserved_shared_per_block + unit - 1) / unit * unit;
  return rounded <= most + arch.reserved_shared_per_block ? rounded : -1;
}

/// `per_block` is the result of shared_memory_of_block().
WARPGUARD_HOST_DEVICE constexpr int blocks_by_shared_memory(int budget, int per_block) {
  if (per_block < 0) return 0;
  return per_block == 0 ? unlimited : budget / per_block;
}

// ---- Barriers and virtual resources ---------------------------------------------------------------------------------

WARPGUARD_HOST_DEVICE constexpr int blocks_by_barriers(architecture const& arch, int per_block) {
  if (per_block <= 0 || !has_rule(arch, allocation_rule::barriers)) return unlimited;
  return arch.block_barriers_per_sm / per_block;
}

WARPGUARD_HOST_DEVICE constexpr int blocks_by_virtual_resources(architecture const& arch, int per_block) {
  if (per_block <= 0 || arch.virtual_resources_per_sm == 0) return unlimited;
  return arch.virtual_resources_per_sm / per_block;
}

// ---- All of them ----------------------------------------------------------------------------------------------------

/// The blocks per SM that each resource allows, and what one block takes.
struct block_limits {
  int by_warps = 0;
  int by_registers = 0;
  int by_shared_memory = 0;
  int by_block_slots = 0;
  int by_barriers = 0;
  int by_virtual_resources = 0;
  int registers_per_block = 0;      ///< 0 also for a block that may not have its registers
  int shared_memory_per_block = 0;  ///< bytes; 0 also for a block that may not have them
  int shared_memory_budget = 0;     ///< bytes that all blocks share

  WARPGUARD_HOST_DEVICE constexpr int smallest() const {
    int blocks = by_warps;
    if (by_registers < blocks) blocks = by_registers;
    if (by_shared_memory < blocks) blocks = by_shared_memory;
    if (by_block_slots < blocks) blocks = by_block_slots;
    if (by_barriers < blocks) blocks = by_barriers;
    if (by_virtual_resources < blocks) blocks = by_virtual_resources;
    return blocks;
  }
};

/// Returns the blocks whose registers fit. Sets `halved` to whether each block lives in one half of the SM after all,
/// and `per_block` to its registers.
WARPGUARD_HOST_DEVICE constexpr int find_register_limit(architecture const& arch, kernel_resources const& kernel,
                                                        int warps, bool& halved, int& per_block) {
  halved = asks_for_half(arch, kernel.caching);
  if (kernel.registers_per_thread == 0) return unlimited;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return 0;
  register_files const files = files_of(arch, kernel.registers_per_thread);
  int const wanted = registers_of_block(arch, files, warps);
  int blocks = blocks_by_registers(arch, files, warps, wanted);
  if (halved) {
    int const by_halves = blocks_by_halves(arch, files, warps, kernel.caching, blocks);
    halved = by_halves >= 0;
    if (halved) blocks = by_halves;
  }
  if (blocks > 0) per_block = wanted;
  return blocks;
}

/// Returns the blocks whose shared memory fits. Sets `per_block` to the bytes of one, and `budget` to those that all
/// blocks share.
WARPGUARD_HOST_DEVICE constexpr int find_shared_memory_limit(architecture const& arch, kernel_resources const& kernel,
                                                             shared_memory_config const& config, int& per_block,
                                                             int& budget) {
  int const bytes =
      shared_memory_of_block(arch, config, 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory);
  if (bytes < 0) return 0;
  per_block = bytes;
  budget = shared_memory_budget(arch, config, bytes);
  return bytes == 0 ? unlimited : budget / bytes;
}

/// `warps`: those of a block of `kernel.threads_per_block` threads, here and below.
WARPGUARD_HOST_DEVICE constexpr block_limits limits_of(architecture const& arch, kernel_resources const& kernel,
                                                       shared_memory_config const& config, int warps) {
  block_limits limits;
  bool halved = false;
  limits.by_registers = find_register_limit(arch, kernel, warps, halved, limits.registers_per_block);
  limits.by_warps = blocks_by_warps(arch, kernel.threads_per_block, warps, halved);
  limits.by_shared_memory =
      find_shared_memory_limit(arch, kernel, config, limits.shared_memory_per_block, limits.shared_memory_budget);
  limits.by_block_slots = arch.max_blocks_per_sm;
  limits.by_barriers = blocks_by_barriers(arch, kernel.barriers);
  limits.by_virtual_resources = blocks_by_virtual_resources(arch, kernel.virtual_resources);
  return limits;
}

/// Returns limits_of().smallest() and nothing else, for constant expressions: it has fewer calls and members for the
/// compiler to evaluate.
WARPGUARD_HOST_DEVICE constexpr int resident_blocks(architecture const& arch, kernel_resources const& kernel,
                                                    shared_memory_config const& config, int warps) {
  bool halved = false;
  int unused_amount = 0;
  int blocks = arch.max_blocks_per_sm;
  int next = 0;
  if (kernel.registers_per_thread != 0 || kernel.caching != partitioned_caching::off) {
    next = find_register_limit(arch, kernel, warps, halved, unused_amount);
    if (next < blocks) blocks = next;
  }
  next = blocks_by_warps(arch, kernel.threads_per_block, warps, halved);
  if (next < blocks) blocks = next;
  next = find_shared_memory_limit(arch, kernel, config, unused_amount, unused_amount);
  if (next < blocks) blocks = next;
  if (kernel.barriers > 0) {
    next = blocks_by_barriers(arch, kernel.barriers);
    if (next < blocks) blocks = next;
  }
  if (kernel.virtual_resources > 0) {
    next = blocks_by_virtual_resources(arch, kernel.virtual_resources);
    if (next < blocks) blocks = next;
  }
  return blocks;
}

}  // namespace detail

}  // namespace warpguard
