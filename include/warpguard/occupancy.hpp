// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The model: how many blocks of a kernel are resident on one SM at the same time, what limits them, and what is left
/// over. Inverse questions are in capacity.hpp. The algorithm equals NVIDIA's cuda_occupancy.h on every input but the
/// few in docs/deviations.md; docs/how-occupancy-works.md goes through it by hand.

#pragma once

#include "architecture.hpp"
#include "detail/arithmetic.hpp"
#include "detail/host_device.hpp"
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
  return halved ? arch.max_warps_per_sm / 2 / per_block * 2 : arch.max_warps_per_sm / per_block;
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

struct register_limit {
  int blocks;
  int registers_per_block;  ///< 0 where not even one block can have its registers
  bool halved;              ///< every block lives in one half of the SM
};

/// Blocks of `warps` warps whose registers fit an SM of `parts` register files, or 0 where one block is refused.
WARPGUARD_HOST_DEVICE constexpr int blocks_in_files(architecture const& arch, int per_warp, int warps, int parts,
                                                    int warp_granularity) {
  // Before it gives a warp registers from its sub-partition's file, the hardware checks the block as if its warps
  // filled all sub-partitions evenly.
  if (per_warp * round_up<long long>(warps, warp_granularity) > arch.max_registers_per_block) return 0;
  return arch.registers_per_sm / (per_warp * parts) * parts / warps;
}

/// Needs 1 <= registers <= max_registers_per_thread.
WARPGUARD_HOST_DEVICE constexpr register_limit blocks_by_registers(architecture const& arch, int registers, int warps,
                                                                   partitioned_caching caching) {
  int const unit = register_unit(arch, registers);
  bool const halved = caching != partitioned_caching::off;

  if (arch.register_allocation_granularity == granularity::block) {
    long long const wanted = registers * arch.warp_size * allocated_warps(arch, warps);
    if (wanted > arch.max_registers_per_block) return {0, 0, halved};
    int const per_block = round_up(static_cast<int>(wanted), unit);
    if (per_block > arch.max_registers_per_block) return {0, 0, halved};
    return {arch.registers_per_sm / per_block, per_block, halved};
  }

  int const parts = arch.sub_partitions;
  int const per_warp = round_up(registers * arch.warp_size, unit);
  int const whole = blocks_in_files(arch, per_warp, warps, parts, arch.warp_allocation_granularity);
  if (whole == 0) return {0, 0, halved};
  if (has_rule(arch, allocation_rule::gp100) &&
      blocks_in_files(arch, per_warp, warps, 2 * parts, 2 * arch.warp_allocation_granularity) == 0) {
    return {0, 0, halved};
  }
  if (halved) {
    int const blocks = arch.registers_per_sm / (per_warp * parts) * (parts / 2) / warps * 2;
    if (blocks > 0) return {blocks, per_warp * warps, true};
    if (caching == partitioned_caching::strict) return {0, 0, true};
  }
  return {whole, per_warp * warps, false};
}

WARPGUARD_HOST_DEVICE constexpr bool is_valid(shared_memory_config const& config) {
  return config.carveout_percent >= -1 && config.carveout_percent <= 100 &&
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
  bool const prefers_shared =
      config.preference == cache_preference::none || config.preference == cache_preference::shared;
  if (has_rule(arch, allocation_rule::carveouts)) {
    if (config.carveout_percent < 0 && prefers_shared) return whole;
    int const percent = config.carveout_percent >= 0                   ? config.carveout_percent
                        : config.preference == cache_preference::equal ? 50
                                                                       : 0;
    int const preferred = carveout_of_at_least(arch, static_cast<int>(1LL * percent * whole / 100));
    return preferred >= per_block ? preferred : carveout_of_at_least(arch, per_block);
  }
  // Fermi and Kepler prefer one of two or three splits and fall back to the largest.
  if (prefers_shared) return whole;
  int preferred = whole;
  if (config.preference == cache_preference::l1) preferred = carveout_bytes(arch, 0);
  if (config.preference == cache_preference::equal && arch.carveouts_kb[2] != 0) preferred = carveout_bytes(arch, 1);
  return preferred >= per_block ? preferred : whole;
}

WARPGUARD_HOST_DEVICE constexpr int most_shared_memory_per_block(architecture const& arch, bool opt_in) {
  return opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default;
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

/// Which limit it is that allows no block.
WARPGUARD_HOST_DEVICE constexpr obstacle obstacle_of(architecture const& arch, kernel_resources const& kernel,
                                                     occupancy const& result) {
  if (result.blocks_by_warps <= 0 || result.blocks_by_block_slots <= 0) return obstacle::threads_per_block;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return obstacle::registers_per_thread;
  if (result.blocks_by_registers == 0) return obstacle::registers_per_block;
  if (result.blocks_by_shared_memory == 0) return obstacle::shared_memory_per_block;
  if (result.blocks_by_barriers == 0) return obstacle::barriers;
  return obstacle::virtual_resources;
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

  // Caching comes first: a block whose registers do not fit half an SM gets the whole one.
  auto const caching = detail::has_rule(arch, allocation_rule::partitioned) ? kernel.caching : partitioned_caching::off;
  detail::register_limit registers{unlimited, 0, caching != partitioned_caching::off};
  if (kernel.registers_per_thread > arch.max_registers_per_thread) {
    registers.blocks = 0;
  } else if (kernel.registers_per_thread > 0) {
    registers = detail::blocks_by_registers(arch, kernel.registers_per_thread, warps, caching);
  }
  int const by_warps = detail::blocks_by_warps(arch, kernel.threads_per_block, warps, registers.halved);

  int bytes_per_block = 0;
  int budget = 0;
  int by_shared_memory = 0;
  long long const bytes =
      0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory + arch.reserved_shared_per_block;
  int const most_bytes = detail::most_shared_memory_per_block(arch, config.opt_in) + arch.reserved_shared_per_block;
  if (bytes <= most_bytes) {
    int const rounded = detail::round_up(static_cast<int>(bytes), arch.shared_allocation_unit);
    if (rounded <= most_bytes) {
      bytes_per_block = rounded;
      budget = detail::shared_memory_budget(arch, config, rounded);
      by_shared_memory = rounded > 0 ? budget / rounded : unlimited;
    }
  }

  bool const barriers_limit = detail::has_rule(arch, allocation_rule::barriers) && kernel.barriers > 0;
  int const by_barriers = barriers_limit ? arch.block_barriers_per_sm / kernel.barriers : unlimited;
  bool const virtual_resources_limit = arch.virtual_resources_per_sm > 0 && kernel.virtual_resources > 0;
  int const by_virtual_resources =
      virtual_resources_limit ? arch.virtual_resources_per_sm / kernel.virtual_resources : unlimited;

  int blocks = detail::min_of(by_warps, arch.max_blocks_per_sm);
  blocks = detail::min_of(blocks, registers.blocks);
  blocks = detail::min_of(blocks, by_shared_memory);
  blocks = detail::min_of(blocks, by_barriers);
  blocks = detail::min_of(blocks, by_virtual_resources);

  result.blocks_per_sm = blocks;
  result.warps_per_sm = blocks * warps;
  result.threads_per_sm = blocks * kernel.threads_per_block;
  result.blocks_by_warps = by_warps;
  result.blocks_by_registers = registers.blocks;
  result.blocks_by_shared_memory = by_shared_memory;
  result.blocks_by_block_slots = arch.max_blocks_per_sm;
  result.blocks_by_barriers = by_barriers;
  result.blocks_by_virtual_resources = by_virtual_resources;
  result.limited_by = detail::limiter_if(blocks == by_warps, limiter::warps) |
                      detail::limiter_if(blocks == registers.blocks, limiter::registers) |
                      detail::limiter_if(blocks == by_shared_memory, limiter::shared_memory) |
                      detail::limiter_if(blocks == arch.max_blocks_per_sm, limiter::block_slots) |
                      detail::limiter_if(blocks == by_barriers, limiter::barriers) |
                      detail::limiter_if(blocks == by_virtual_resources, limiter::virtual_resources);
  result.warps_per_block = warps;
  result.registers_per_block = registers.registers_per_block;
  result.shared_memory_per_block = bytes_per_block;
  result.shared_memory_budget = budget;
  if (blocks == 0) {
    result.obstructed_by = detail::obstacle_of(arch, kernel, result);
    return result;
  }
  result.unused_warps = arch.max_warps_per_sm - blocks * static_cast<int>(detail::allocated_warps(arch, warps));
  result.unused_registers = arch.registers_per_sm - blocks * registers.registers_per_block;
  result.unused_shared_memory = budget - blocks * bytes_per_block;
  return result;
}

}  // namespace warpguard
