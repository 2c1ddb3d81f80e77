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
  architecture,             ///< the row is not an SM: see is_valid()
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
    return warps_per_sm * 100LL >= static_cast<long long>(percent) * max_warps_per_sm;
  }
};

namespace detail {

/// Warps that a block takes; 1.x gives out warp slots and registers for pairs of warps.
WARPGUARD_HOST_DEVICE constexpr int allocated_warps(architecture const& arch, int warps) {
  return arch.register_allocation_granularity == granularity::block
             ? round_up(warps, arch.warp_allocation_granularity)
             : warps;
}

/// `halved`: every block lives in one half of the SM.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_warps(architecture const& arch, int threads, int warps, bool halved) {
  if (threads > arch.max_threads_per_block) return 0;
  int const per_block = allocated_warps(arch, warps);
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

/// Needs 1 <= registers <= max_registers_per_thread.
WARPGUARD_HOST_DEVICE constexpr register_limit blocks_by_registers(architecture const& arch, int registers, int warps,
                                                                   partitioned_caching caching) {
  int const unit = register_unit(arch, registers);
  bool const halved = caching != partitioned_caching::off;

  if (arch.register_allocation_granularity == granularity::block) {
    long long const wanted = 1LL * registers * arch.warp_size * allocated_warps(arch, warps);
    long long const per_block = round_up<long long>(wanted, unit);
    if (per_block > arch.max_registers_per_block) return {0, 0, halved};
    return {arch.registers_per_sm / static_cast<int>(per_block), static_cast<int>(per_block), halved};
  }

  // A warp's registers come from the file of its sub-partition. Before that the hardware checks the block as if its
  // warps filled all sub-partitions evenly.
  int const parts = arch.sub_partitions;
  int const per_warp = round_up(registers * arch.warp_size, unit);
  int const most_warps_per_block = arch.max_registers_per_block / per_warp;
  if (round_up(warps, arch.warp_allocation_granularity) > most_warps_per_block) return {0, 0, halved};
  int const warps_per_part = arch.registers_per_sm / parts / per_warp;

  if (has_rule(arch, allocation_rule::gp100)) {
    bool const fits_finer_sm = round_up(warps, 2 * arch.warp_allocation_granularity) <= most_warps_per_block &&
                               arch.registers_per_sm / (2 * parts) / per_warp * (2 * parts) >= warps;
    if (!fits_finer_sm) return {0, 0, halved};
  }
  if (halved) {
    int const blocks = warps_per_part * (parts / 2) / warps * 2;
    if (blocks > 0 || caching == partitioned_caching::strict) return {blocks, blocks > 0 ? per_warp * warps : 0, true};
  }
  int const blocks = warps_per_part * parts / warps;
  return {blocks, blocks > 0 ? per_warp * warps : 0, false};
}

WARPGUARD_HOST_DEVICE constexpr bool is_valid(shared_memory_config const& config) {
  return config.carveout_percent >= -1 && config.carveout_percent <= 100 &&
         config.preference >= cache_preference::none && config.preference <= cache_preference::equal;
}

/// The smallest carve-out of at least `bytes`, in bytes. Needs bytes <= shared_memory_per_sm.
WARPGUARD_HOST_DEVICE constexpr int carveout_of_at_least(architecture const& arch, int bytes) {
  for (int kb : arch.carveouts_kb) {
    if (kb * 1024 >= bytes) return kb * 1024;
  }
  return arch.shared_memory_per_sm;
}

/// Bytes that all blocks of an SM share, where one block needs `per_block` of them.
WARPGUARD_HOST_DEVICE constexpr int shared_memory_budget(architecture const& arch, shared_memory_config const& config,
                                                         int per_block) {
  int const whole = arch.shared_memory_per_sm;
  if (has_rule(arch, allocation_rule::carveouts)) {
    constexpr int percent_of_preference[] = {100, 100, 0, 50};  // none, shared, l1, equal
    int const percent = config.carveout_percent >= 0 ? config.carveout_percent
                                                     : percent_of_preference[static_cast<int>(config.preference)];
    int const preferred =
        percent == 100 ? whole : carveout_of_at_least(arch, static_cast<int>(1LL * percent * whole / 100));
    return preferred >= per_block ? preferred : carveout_of_at_least(arch, per_block);
  }
  // Fermi and Kepler prefer one of two or three splits and fall back to the largest.
  int preferred = whole;
  if (config.preference == cache_preference::l1) preferred = arch.carveouts_kb[0] * 1024;
  if (config.preference == cache_preference::equal && arch.carveouts_kb[2] != 0) {
    preferred = arch.carveouts_kb[1] * 1024;
  }
  return preferred >= per_block ? preferred : whole;
}

WARPGUARD_HOST_DEVICE constexpr int most_shared_memory_per_block(architecture const& arch, bool opt_in) {
  return opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default;
}

WARPGUARD_HOST_DEVICE constexpr occupancy no_occupancy(architecture const& arch, obstacle why) {
  occupancy none{};
  none.obstructed_by = why;
  none.max_warps_per_sm = arch.max_warps_per_sm;
  return none;
}

WARPGUARD_HOST_DEVICE constexpr obstacle obstacle_of(architecture const& arch, kernel_resources const& kernel,
                                                     occupancy const& result) {
  if (result.blocks_by_warps == 0) return obstacle::threads_per_block;
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
  if (!is_valid(arch)) return detail::no_occupancy(arch, obstacle::architecture);
  if (kernel.threads_per_block <= 0) return detail::no_occupancy(arch, obstacle::threads_per_block);
  if (kernel.registers_per_thread < 0) return detail::no_occupancy(arch, obstacle::registers_per_thread);
  if (!detail::is_valid(config)) return detail::no_occupancy(arch, obstacle::shared_memory_config);
  if ((kernel.static_shared_memory | kernel.dynamic_shared_memory | kernel.barriers | kernel.virtual_resources) < 0) {
    return detail::no_occupancy(arch, obstacle::negative_amount);
  }

  occupancy result{};
  result.max_warps_per_sm = arch.max_warps_per_sm;
  int const warps = detail::divide_up(kernel.threads_per_block, arch.warp_size);
  result.warps_per_block = warps;

  // Caching comes first: a block whose registers do not fit half an SM gets the whole one.
  auto const caching =
      detail::has_rule(arch, allocation_rule::partitioned) ? kernel.caching : partitioned_caching::off;
  detail::register_limit registers{unlimited, 0, caching != partitioned_caching::off};
  if (kernel.registers_per_thread > arch.max_registers_per_thread) {
    registers.blocks = 0;
  } else if (kernel.registers_per_thread > 0) {
    registers = detail::blocks_by_registers(arch, kernel.registers_per_thread, warps, caching);
  }
  result.blocks_by_registers = registers.blocks;
  result.registers_per_block = registers.registers_per_block;

  result.blocks_by_warps = detail::blocks_by_warps(arch, kernel.threads_per_block, warps, registers.halved);
  result.blocks_by_block_slots = arch.max_blocks_per_sm;

  long long const per_block = detail::round_up<long long>(
      0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory + arch.reserved_shared_per_block,
      arch.shared_allocation_unit);
  if (per_block <= detail::most_shared_memory_per_block(arch, config.opt_in) + arch.reserved_shared_per_block) {
    result.shared_memory_per_block = static_cast<int>(per_block);
    result.shared_memory_budget = detail::shared_memory_budget(arch, config, result.shared_memory_per_block);
    result.blocks_by_shared_memory = per_block > 0 ? result.shared_memory_budget / result.shared_memory_per_block : unlimited;
  }

  bool const barriers_limit = detail::has_rule(arch, allocation_rule::barriers) && kernel.barriers > 0;
  result.blocks_by_barriers = barriers_limit ? arch.block_barriers_per_sm / kernel.barriers : unlimited;
  bool const virtual_resources_limit = arch.virtual_resources_per_sm > 0 && kernel.virtual_resources > 0;
  result.blocks_by_virtual_resources =
      virtual_resources_limit ? arch.virtual_resources_per_sm / kernel.virtual_resources : unlimited;

  int blocks = result.blocks_by_block_slots;
  blocks = detail::min_of(blocks, result.blocks_by_warps);
  blocks = detail::min_of(blocks, result.blocks_by_registers);
  blocks = detail::min_of(blocks, result.blocks_by_shared_memory);
  blocks = detail::min_of(blocks, result.blocks_by_barriers);
  blocks = detail::min_of(blocks, result.blocks_by_virtual_resources);

  if (blocks == result.blocks_by_warps) result.limited_by = result.limited_by | limiter::warps;
  if (blocks == result.blocks_by_registers) result.limited_by = result.limited_by | limiter::registers;
  if (blocks == result.blocks_by_shared_memory) result.limited_by = result.limited_by | limiter::shared_memory;
  if (blocks == result.blocks_by_block_slots) result.limited_by = result.limited_by | limiter::block_slots;
  if (blocks == result.blocks_by_barriers) result.limited_by = result.limited_by | limiter::barriers;
  if (blocks == result.blocks_by_virtual_resources) result.limited_by = result.limited_by | limiter::virtual_resources;

  if (blocks == 0) {
    result.obstructed_by = detail::obstacle_of(arch, kernel, result);
    return result;
  }
  result.blocks_per_sm = blocks;
  result.warps_per_sm = blocks * warps;
  result.threads_per_sm = blocks * kernel.threads_per_block;
  result.unused_warps = arch.max_warps_per_sm - blocks * detail::allocated_warps(arch, warps);
  result.unused_registers = arch.registers_per_sm - blocks * result.registers_per_block;
  result.unused_shared_memory = result.shared_memory_budget - blocks * result.shared_memory_per_block;
  return result;
}

}  // namespace warpguard
