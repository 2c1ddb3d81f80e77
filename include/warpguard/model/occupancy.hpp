// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The model: how many blocks of a kernel are resident on one SM, which resources limit them, and what is left over.
/// The allocation rules of each resource are in allocation.hpp, inverse queries in capacity.hpp. The answers equal
/// those of NVIDIA's cuda_occupancy.h except for the inputs in docs/deviations.md; docs/how-occupancy-works.md works
/// through the algorithm by hand.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "kernel_resources.hpp"

namespace warpguard {

/// A set of resources that limit residency.
enum class limiter : unsigned {
  none = 0,                ///< the empty set
  warps = 1,               ///< warp slots
  registers = 2,           ///< the register file
  shared_memory = 4,       ///< shared memory
  block_slots = 8,         ///< the most blocks that an SM can hold
  barriers = 16,           ///< named barriers
  virtual_resources = 32,  ///< cuda_occupancy.h's "virtual resources"
};

/// The limiters of both sets.
WARPGUARD_HOST_DEVICE constexpr limiter operator|(limiter first, limiter other) {
  return static_cast<limiter>(static_cast<unsigned>(first) | static_cast<unsigned>(other));
}
/// The limiters that are in both sets.
WARPGUARD_HOST_DEVICE constexpr limiter operator&(limiter first, limiter other) {
  return static_cast<limiter>(static_cast<unsigned>(first) & static_cast<unsigned>(other));
}
/// Whether `set` contains every limiter of `wanted`.
WARPGUARD_HOST_DEVICE constexpr bool contains(limiter set, limiter wanted) { return (set & wanted) == wanted; }

/// Why not even one block can run; the first in this order is reported.
enum class obstacle {
  none,                     ///< a block can run
  architecture,             ///< the row is not computable; is_valid() is stricter
  threads_per_block,        ///< below 1, or more than a block may have
  registers_per_thread,     ///< negative, or more than a thread may have
  shared_memory_config,     ///< carve-out outside -1 to 100, or an unknown preference
  negative_amount,          ///< shared memory, barriers or virtual resources below 0
  registers_per_block,      ///< the block's warps need more registers than a block or SM has
  shared_memory_per_block,  ///< more bytes than a block may have
  barriers,                 ///< more barriers than the SM has
  virtual_resources,        ///< more virtual resources than the SM has
};

/// What is resident on one SM, and why not more.
struct occupancy {
  int blocks_per_sm;   ///< resident blocks; 0 if none can run: see obstructed_by
  int warps_per_sm;    ///< resident warps
  int threads_per_sm;  ///< resident threads

  int blocks_by_warps;              ///< blocks that the warp slots allow; 0 also for too large a block
  int blocks_by_registers;          ///< blocks that the register file allows, or `unlimited`
  int blocks_by_shared_memory;      ///< blocks that shared memory allows, or `unlimited`
  int blocks_by_block_slots;        ///< blocks that an SM can hold at all
  int blocks_by_barriers;           ///< blocks that barriers allow, or `unlimited`
  int blocks_by_virtual_resources;  ///< blocks that virtual resources allow, or `unlimited`

  limiter limited_by;      ///< exactly the resources whose limit equals blocks_per_sm
  obstacle obstructed_by;  ///< why blocks_per_sm is 0; otherwise none

  int warps_per_block;          ///< warps of one block; the last may be partial
  int registers_per_block;      ///< registers allocated to one block
  int shared_memory_per_block;  ///< bytes allocated to one block: static + dynamic + reserve, rounded up
  int shared_memory_budget;     ///< bytes that the chosen carve-out gives all blocks

  int max_warps_per_sm;      ///< the architecture's, which is 100 %
  int unused_warps;          ///< warp slots left over
  int unused_registers;      ///< registers left over
  int unused_shared_memory;  ///< bytes of the budget left over

  /// Returns resident warps in percent of the architecture's, for printing. For comparisons use reaches().
  WARPGUARD_HOST_DEVICE constexpr double percent() const {
    return max_warps_per_sm > 0 ? 100.0 * warps_per_sm / max_warps_per_sm : 0.0;
  }
  /// Whether at least `percent` percent of the architecture's warps are resident, without rounding.
  WARPGUARD_HOST_DEVICE constexpr bool reaches(int percent) const {
    return max_warps_per_sm > 0 && warps_per_sm * 100LL >= static_cast<long long>(percent) * max_warps_per_sm;
  }
};

namespace detail {

/// Returns the first reason why a question cannot be answered at all.
WARPGUARD_HOST_DEVICE constexpr obstacle obstacle_of(architecture const& arch, kernel_resources const& kernel,
                                                     shared_memory_config const& config) {
  if (!is_computable(arch)) return obstacle::architecture;
  if (kernel.threads_per_block <= 0) return obstacle::threads_per_block;
  if (kernel.registers_per_thread < 0) return obstacle::registers_per_thread;
  if (!is_valid(config)) return obstacle::shared_memory_config;
  bool const any_negative = kernel.static_shared_memory < 0 || kernel.dynamic_shared_memory < 0 ||
                            kernel.barriers < 0 || kernel.virtual_resources < 0;
  return any_negative ? obstacle::negative_amount : obstacle::none;
}

/// Returns the first resource, in enum order, of which one block needs too much.
WARPGUARD_HOST_DEVICE constexpr obstacle obstacle_of(architecture const& arch, kernel_resources const& kernel,
                                                     block_limits const& limits) {
  if (limits.by_warps <= 0) return obstacle::threads_per_block;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return obstacle::registers_per_thread;
  if (limits.by_registers == 0) return obstacle::registers_per_block;
  if (limits.by_shared_memory == 0) return obstacle::shared_memory_per_block;
  if (limits.by_barriers == 0) return obstacle::barriers;
  return obstacle::virtual_resources;
}

}  // namespace detail

/// Returns how many blocks of `kernel` are resident on one SM of `arch` if enough blocks are launched, and why not
/// more. Every int is a valid question: if no block can run, blocks_per_sm is 0 and obstructed_by names the reason;
/// nothing overflows. Does not check limits of the grid, of clusters or of the block's dimensions.
WARPGUARD_HOST_DEVICE constexpr occupancy occupancy_of(architecture_ref arch, kernel_resources const& kernel,
                                                       shared_memory_config config = {}) {
  occupancy result{};
  result.max_warps_per_sm = arch.max_warps_per_sm;
  result.obstructed_by = detail::obstacle_of(arch, kernel, config);
  if (result.obstructed_by != obstacle::none) return result;

  int const warps = detail::divide_up(kernel.threads_per_block, arch.warp_size);
  detail::block_limits const limits = detail::limits_of(arch, kernel, config, warps);
  int const blocks = limits.smallest();

  result.blocks_per_sm = blocks;
  result.warps_per_sm = blocks * warps;
  // Unsigned, because a row that is computable but not valid may exceed an int here.
  result.threads_per_sm =
      static_cast<int>(static_cast<unsigned>(blocks) * static_cast<unsigned>(kernel.threads_per_block));
  result.blocks_by_warps = limits.by_warps;
  result.blocks_by_registers = limits.by_registers;
  result.blocks_by_shared_memory = limits.by_shared_memory;
  result.blocks_by_block_slots = limits.by_block_slots;
  result.blocks_by_barriers = limits.by_barriers;
  result.blocks_by_virtual_resources = limits.by_virtual_resources;

  if (limits.by_warps == blocks) result.limited_by = result.limited_by | limiter::warps;
  if (limits.by_registers == blocks) result.limited_by = result.limited_by | limiter::registers;
  if (limits.by_shared_memory == blocks) result.limited_by = result.limited_by | limiter::shared_memory;
  if (limits.by_block_slots == blocks) result.limited_by = result.limited_by | limiter::block_slots;
  if (limits.by_barriers == blocks) result.limited_by = result.limited_by | limiter::barriers;
  if (limits.by_virtual_resources == blocks) result.limited_by = result.limited_by | limiter::virtual_resources;

  result.warps_per_block = warps;
  result.registers_per_block = limits.registers_per_block;
  result.shared_memory_per_block = limits.shared_memory_per_block;
  result.shared_memory_budget = limits.shared_memory_budget;
  if (blocks > 0) {
    result.unused_warps = arch.max_warps_per_sm - blocks * static_cast<int>(detail::allocated_warps(arch, warps));
    result.unused_registers = arch.registers_per_sm - blocks * limits.registers_per_block;
    result.unused_shared_memory = limits.shared_memory_budget - blocks * limits.shared_memory_per_block;
  } else {
    result.obstructed_by = detail::obstacle_of(arch, kernel, limits);
  }
  return result;
}

}  // namespace warpguard
