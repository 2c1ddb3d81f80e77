// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The model: how many blocks of a kernel are resident on one SM at the same time, what limits them, and what is left
/// over. Inverse questions are in capacity.hpp. The algorithm equals NVIDIA's cuda_occupancy.h on every input but the
/// few in docs/deviations.md; docs/how-occupancy-works.md goes through it by hand.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"

namespace warpguard {

/// A set of resources that limit residency.
enum class limiter : unsigned {
  none = 0,
  warps = 1,
  registers = 2,
  shared_memory = 4,
  block_slots = 8,
  barriers = 16,
  virtual_resources = 32,
};

WARPGUARD_HOST_DEVICE constexpr limiter operator|(limiter a, limiter b) {
  return static_cast<limiter>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
WARPGUARD_HOST_DEVICE constexpr limiter operator&(limiter a, limiter b) {
  return static_cast<limiter>(static_cast<unsigned>(a) & static_cast<unsigned>(b));
}
/// Whether `set` holds every limiter of `wanted`.
WARPGUARD_HOST_DEVICE constexpr bool contains(limiter set, limiter wanted) { return (set & wanted) == wanted; }

/// Why not even one block can run. In this order: the first that applies is reported.
enum class obstacle {
  none,
  architecture,             ///< the row cannot be calculated with; is_valid() is stricter
  threads_per_block,        ///< below 1, or more than a block may have
  registers_per_thread,     ///< negative, or more than a thread may have
  shared_memory_config,     ///< carve-out outside -1 to 100, or an unknown preference
  negative_amount,          ///< shared memory, barriers or virtual resources below 0
  registers_per_block,      ///< the block's warps need more registers than a block or SM has
  shared_memory_per_block,  ///< more bytes than a block may have
  barriers,                 ///< more barriers than the SM has
  virtual_resources,        ///< more virtual resources than the SM has
};

/// In `occupancy::blocks_by_...`: this resource does not limit.
inline constexpr int unlimited = 2147483647;

/// What is resident on one SM, and why not more.
struct occupancy {
  int blocks_per_sm;   ///< resident blocks; 0 where none can run: see obstructed_by
  int warps_per_sm;    ///< resident warps
  int threads_per_sm;  ///< resident threads

  int blocks_by_warps;              ///< blocks that the warp slots allow; 0 also for too large a block
  int blocks_by_registers;          ///< blocks that the register file allows, or `unlimited`
  int blocks_by_shared_memory;      ///< blocks that shared memory allows, or `unlimited`
  int blocks_by_block_slots;        ///< blocks that an SM can hold at all
  int blocks_by_barriers;           ///< blocks that barriers allow, or `unlimited`
  int blocks_by_virtual_resources;  ///< blocks that virtual resources allow, or `unlimited`

  limiter limited_by;      ///< exactly those resources whose limit equals blocks_per_sm
  obstacle obstructed_by;  ///< why blocks_per_sm is 0; otherwise none

  int warps_per_block;          ///< warps of one block, the last one perhaps not full
  int registers_per_block;      ///< registers allocated to one block
  int shared_memory_per_block;  ///< bytes allocated to one block: static + dynamic + reserve, rounded up
  int shared_memory_budget;     ///< bytes that the chosen carve-out gives all blocks

  int max_warps_per_sm;      ///< the architecture's, which is 100 %
  int unused_warps;          ///< warp slots left over
  int unused_registers;      ///< registers left over
  int unused_shared_memory;  ///< bytes of the budget left over

  /// Resident warps in percent of the architecture's; for printing. Compare with reaches().
  WARPGUARD_HOST_DEVICE constexpr double percent() const {
    return max_warps_per_sm > 0 ? 100.0 * warps_per_sm / max_warps_per_sm : 0.0;
  }
  /// Whether at least `percent` of the architecture's warps are resident; no rounding takes place.
  WARPGUARD_HOST_DEVICE constexpr bool reaches(int percent) const {
    return max_warps_per_sm > 0 && warps_per_sm * 100LL >= static_cast<long long>(percent) * max_warps_per_sm;
  }
};

namespace detail {

/// Warps that a block takes; 1.x gives out warp slots and registers for pairs of warps.
WARPGUARD_HOST_DEVICE constexpr long long allocated_warps(architecture const& arch, int warps) {
  return arch.register_allocation_granularity == granularity::block
             ? round_up<long long>(warps, arch.warp_allocation_granularity)
             : warps;
}

/// `halved`: every block lives in one half of the SM.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_warps(architecture const& arch, int threads, int warps, bool halved) {
  if (threads > arch.max_threads_per_block) return 0;
  int const per_block = static_cast<int>(allocated_warps(arch, warps));
  int const half = static_cast<int>(halved);
  return ((arch.max_warps_per_sm >> half) / per_block) << half;
}

WARPGUARD_HOST_DEVICE constexpr int register_unit(architecture const& arch, int registers_per_thread) {
  if (has_rule(arch, allocation_rule::fermi_unit)) {
    constexpr int doubled[] = {21, 22, 29, 30, 37, 38, 45, 46};
    for (int registers : doubled) {
      if (registers == registers_per_thread) return 2 * arch.register_allocation_unit;
    }
  }
  return arch.register_allocation_unit;
}

/// The register files as warps of one kernel find them, whatever blocks they form.
struct register_files {
  int unit;      ///< registers are given in multiples of this
  int per_warp;  ///< registers of a warp; not yet rounded where whole blocks are given registers
  int warps;     ///< warps that all files of the SM hold, which no number of blocks exceeds
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

/// Whether a block gets its registers at all. Before it gives a warp registers from its sub-partition's file, the
/// hardware checks the block as if its warps filled all sub-partitions evenly.
WARPGUARD_HOST_DEVICE constexpr bool fits_files(architecture const& arch, register_files const& files, int warps) {
  int const multiple = arch.warp_allocation_granularity;
  bool const fits = files.per_warp * round_up<long long>(warps, multiple) <= arch.max_registers_per_block;
  if (!has_rule(arch, allocation_rule::gp100)) return fits;
  // The same on an SM whose files are cut in two, each of which then holds half the warps, rounded down.
  int const cut = files.warps / arch.sub_partitions / 2 * 2 * arch.sub_partitions;
  return fits && warps <= cut &&
         files.per_warp * round_up<long long>(warps, 2 * multiple) <= arch.max_registers_per_block;
}

/// Registers that a block takes, or 0 where it may not have so many.
WARPGUARD_HOST_DEVICE constexpr int registers_of_block(architecture const& arch, register_files const& files,
                                                       int warps) {
  if (arch.register_allocation_granularity == granularity::block) {
    long long const wanted = round_up<long long>(files.per_warp * allocated_warps(arch, warps), files.unit);
    return wanted <= arch.max_registers_per_block ? static_cast<int>(wanted) : 0;
  }
  unsigned const wanted = static_cast<unsigned>(files.per_warp) * static_cast<unsigned>(warps);
  return value_if(fits_files(arch, files, warps), static_cast<int>(wanted));
}

/// Blocks of `per_block` registers, as registers_of_block() answers, that the whole SM holds.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_registers(architecture const& arch, register_files const& files,
                                                        int warps, int per_block) {
  if (arch.register_allocation_granularity == granularity::warp) return value_if(per_block > 0, files.warps / warps);
  return per_block > 0 ? arch.registers_per_sm / per_block : 0;
}

/// Whether a block asks to live in one half of the SM; if its registers do not fit there, it may get the whole one.
WARPGUARD_HOST_DEVICE constexpr bool asks_for_half(architecture const& arch, partitioned_caching caching) {
  return caching != partitioned_caching::off && has_rule(arch, allocation_rule::partitioned);
}

/// Blocks whose registers fit, each of them in one half of the SM, or -1 where they get the whole one after all.
/// `on_whole` is blocks_by_registers().
WARPGUARD_HOST_DEVICE constexpr int blocks_by_halves(architecture const& arch, register_files const& files, int warps,
                                                     partitioned_caching caching, int on_whole) {
  if (on_whole == 0 || arch.register_allocation_granularity == granularity::block) return on_whole;
  int const blocks = files.warps / arch.sub_partitions * (arch.sub_partitions / 2) / warps * 2;
  return blocks > 0 || caching == partitioned_caching::strict ? blocks : -1;
}

WARPGUARD_HOST_DEVICE constexpr bool is_valid(shared_memory_config const& config) {
  return static_cast<unsigned>(config.carveout_percent) + 1 <= 101 &&
         static_cast<unsigned>(config.preference) <= static_cast<unsigned>(cache_preference::equal);
}

/// A carve-out of the list in bytes, never more than the whole.
WARPGUARD_HOST_DEVICE constexpr int carveout_bytes(architecture const& arch, int index) {
  int const kb = arch.carveouts_kb[index];
  if (kb <= 0) return 0;
  return kb < arch.shared_memory_per_sm / 1024 ? kb * 1024 : arch.shared_memory_per_sm;
}

/// The smallest carve-out of at least `bytes`, in bytes.
WARPGUARD_HOST_DEVICE constexpr int carveout_of_at_least(architecture const& arch, int bytes) {
  for (int i = 0; i < 10; ++i) {
    if (carveout_bytes(arch, i) >= bytes) return carveout_bytes(arch, i);
  }
  return arch.shared_memory_per_sm;
}

/// Bytes that all blocks of an SM share, where one block needs `per_block` of them.
WARPGUARD_HOST_DEVICE constexpr int shared_memory_budget(architecture const& arch, shared_memory_config const& config,
                                                         int per_block) {
  int const whole = arch.shared_memory_per_sm;
  bool const takes_percent = config.carveout_percent >= 0 && has_rule(arch, allocation_rule::carveouts);
  bool const prefers_shared =
      config.preference == cache_preference::none || config.preference == cache_preference::shared;
  if (prefers_shared && !takes_percent) return whole;
  if (has_rule(arch, allocation_rule::carveouts)) {
    int const percent = takes_percent ? config.carveout_percent : config.preference == cache_preference::equal ? 50 : 0;
    int const preferred = carveout_of_at_least(arch, static_cast<int>(1LL * percent * whole / 100));
    return preferred >= per_block ? preferred : carveout_of_at_least(arch, per_block);
  }
  // Fermi and Kepler prefer one of two or three splits and fall back to the largest.
  int preferred = whole;
  if (config.preference == cache_preference::l1) preferred = carveout_bytes(arch, 0);
  if (config.preference == cache_preference::equal && arch.carveouts_kb[2] != 0) preferred = carveout_bytes(arch, 1);
  return preferred >= per_block ? preferred : whole;
}

WARPGUARD_HOST_DEVICE constexpr int most_shared_memory_per_block(architecture const& arch, bool opt_in) {
  return opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default;
}

/// Bytes that a block takes, with the driver's reserve and rounded up, or -1 where it may not have so many.
/// Needs bytes >= 0: static and dynamic ones together.
WARPGUARD_HOST_DEVICE constexpr int shared_memory_of_block(architecture const& arch, shared_memory_config const& config,
                                                           long long bytes) {
  int const reserve = arch.reserved_shared_per_block;
  long long const wanted = round_up<long long>(bytes + reserve, arch.shared_allocation_unit);
  bool const fits = wanted <= most_shared_memory_per_block(arch, config.opt_in) + reserve;
  return static_cast<int>(wanted) | -static_cast<int>(!fits);
}

/// Blocks of `per_block` bytes, as shared_memory_of_block() answers, that share the budget.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_shared_memory(int budget, int per_block) {
  if (per_block == 0) return unlimited;
  return value_if(per_block > 0, budget / per_block);
}

/// Blocks that share `available` of a resource of which each takes `per_block`; `unlimited` where it does not limit.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_count(bool limits, int available, int per_block) {
  int const blocks = available / (per_block > 0 ? per_block : 1);
  return blocks | value_if(!limits, unlimited);
}

WARPGUARD_HOST_DEVICE constexpr int blocks_by_barriers(architecture const& arch, int per_block) {
  bool const limits = has_rule(arch, allocation_rule::barriers) & (per_block > 0);
  return blocks_by_count(limits, arch.block_barriers_per_sm, per_block);
}

WARPGUARD_HOST_DEVICE constexpr int blocks_by_virtual_resources(architecture const& arch, int per_block) {
  if (per_block <= 0) return unlimited;
  return blocks_by_count(arch.virtual_resources_per_sm > 0, arch.virtual_resources_per_sm, per_block);
}

/// `resource` or nothing, without a branch.
WARPGUARD_HOST_DEVICE constexpr limiter limiter_if(bool limits, limiter resource) {
  return static_cast<limiter>(static_cast<unsigned>(limits) * static_cast<unsigned>(resource));
}

/// What is wrong with a question before anything is calculated.
WARPGUARD_HOST_DEVICE constexpr obstacle obstacle_of(architecture const& arch, kernel_resources const& kernel,
                                                     shared_memory_config const& config) {
  if (!is_computable(arch)) return obstacle::architecture;
  if (kernel.threads_per_block <= 0) return obstacle::threads_per_block;
  if (kernel.registers_per_thread < 0) return obstacle::registers_per_thread;
  if (!is_valid(config)) return obstacle::shared_memory_config;
  bool const is_negative =
      (kernel.static_shared_memory | kernel.dynamic_shared_memory | kernel.barriers | kernel.virtual_resources) < 0;
  return is_negative ? obstacle::negative_amount : obstacle::none;
}

/// Which limit it is that allows no block; the first of the enum last, so that nothing has to branch.
WARPGUARD_HOST_DEVICE constexpr obstacle obstacle_of(architecture const& arch, kernel_resources const& kernel,
                                                     occupancy const& result) {
  obstacle first = obstacle::virtual_resources;
  first = result.blocks_by_barriers == 0 ? obstacle::barriers : first;
  first = result.blocks_by_shared_memory == 0 ? obstacle::shared_memory_per_block : first;
  first = result.blocks_by_registers == 0 ? obstacle::registers_per_block : first;
  first = kernel.registers_per_thread > arch.max_registers_per_thread ? obstacle::registers_per_thread : first;
  first = result.blocks_by_warps <= 0 ? obstacle::threads_per_block : first;
  return result.blocks_per_sm > 0 ? obstacle::none : first;
}

}  // namespace detail

/// Blocks of `kernel` resident on one SM of `arch`, assuming that enough blocks are launched. Every int is a valid
/// question: where no block can run, blocks_per_sm is 0 and obstructed_by says why; nothing overflows.
/// Limits of the grid, of clusters and of the launch (block dimensions) are not looked at.
WARPGUARD_HOST_DEVICE constexpr occupancy occupancy_of(architecture_ref arch, kernel_resources const& kernel,
                                                       shared_memory_config config = {}) {
  occupancy result{};
  result.max_warps_per_sm = arch.max_warps_per_sm;
  result.obstructed_by = detail::obstacle_of(arch, kernel, config);
  if (result.obstructed_by != obstacle::none) return result;

  int const warps = detail::divide_up(kernel.threads_per_block, arch.warp_size);

  bool halved = detail::asks_for_half(arch, kernel.caching);
  int by_registers = unlimited;
  int registers_per_block = 0;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) {
    by_registers = 0;
  } else if (kernel.registers_per_thread > 0) {
    detail::register_files const files = detail::files_of(arch, kernel.registers_per_thread);
    registers_per_block = detail::registers_of_block(arch, files, warps);
    by_registers = detail::blocks_by_registers(arch, files, warps, registers_per_block);
    if (halved) {
      int const by_halves = detail::blocks_by_halves(arch, files, warps, kernel.caching, by_registers);
      halved = by_halves >= 0;
      if (halved) by_registers = by_halves;
    }
    registers_per_block = detail::value_if(by_registers > 0, registers_per_block);
  }
  int const by_warps = detail::blocks_by_warps(arch, kernel.threads_per_block, warps, halved);

  int const bytes =
      detail::shared_memory_of_block(arch, config, 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory);
  int const budget = detail::value_if(bytes >= 0, detail::shared_memory_budget(arch, config, bytes));
  int const bytes_per_block = detail::value_if(bytes >= 0, bytes);
  int const by_shared_memory = detail::blocks_by_shared_memory(budget, bytes);
  int const by_barriers = detail::blocks_by_barriers(arch, kernel.barriers);
  int const by_virtual_resources = detail::blocks_by_virtual_resources(arch, kernel.virtual_resources);

  int blocks = detail::min_of(by_warps, arch.max_blocks_per_sm);
  blocks = detail::min_of(blocks, by_registers);
  blocks = detail::min_of(blocks, by_shared_memory);
  blocks = detail::min_of(blocks, by_barriers);
  blocks = detail::min_of(blocks, by_virtual_resources);
  bool const runs = blocks > 0;

  result.blocks_per_sm = blocks;
  result.warps_per_sm = blocks * warps;
  // As many as an int holds, unless the row is one of those that only is_valid() refuses: that must not overflow.
  result.threads_per_sm =
      static_cast<int>(static_cast<unsigned>(blocks) * static_cast<unsigned>(kernel.threads_per_block));
  result.blocks_by_warps = by_warps;
  result.blocks_by_registers = by_registers;
  result.blocks_by_shared_memory = by_shared_memory;
  result.blocks_by_block_slots = arch.max_blocks_per_sm;
  result.blocks_by_barriers = by_barriers;
  result.blocks_by_virtual_resources = by_virtual_resources;
  result.limited_by = detail::limiter_if(blocks == by_warps, limiter::warps) |
                      detail::limiter_if(blocks == by_registers, limiter::registers) |
                      detail::limiter_if(blocks == by_shared_memory, limiter::shared_memory) |
                      detail::limiter_if(blocks == arch.max_blocks_per_sm, limiter::block_slots) |
                      detail::limiter_if(blocks == by_barriers, limiter::barriers) |
                      detail::limiter_if(blocks == by_virtual_resources, limiter::virtual_resources);
  result.obstructed_by = detail::obstacle_of(arch, kernel, result);
  result.warps_per_block = warps;
  result.registers_per_block = registers_per_block;
  result.shared_memory_per_block = bytes_per_block;
  result.shared_memory_budget = budget;
  result.unused_warps =
      detail::value_if(runs, arch.max_warps_per_sm - blocks * static_cast<int>(detail::allocated_warps(arch, warps)));
  result.unused_registers = detail::value_if(runs, arch.registers_per_sm - blocks * registers_per_block);
  result.unused_shared_memory = detail::value_if(runs, budget - blocks * bytes_per_block);
  return result;
}

}  // namespace warpguard
