// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The values that the options of a contract come to on one architecture, and what follows from them: the resources of
/// a block of any size, the promised residency in blocks, the launch bounds.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../model/advice.hpp"
#include "../model/capacity.hpp"
#include "../model/kernel_resources.hpp"
#include "../model/occupancy.hpp"

namespace warpguard {

/// The unit of a promised minimum.
struct minimum_unit {
  static constexpr int percent = 0;       ///< of an SM's warp slots
  static constexpr int warps = 1;         ///< resident per SM
  static constexpr int blocks = 2;        ///< resident per SM
  static constexpr int exact_blocks = 3;  ///< a minimum and a maximum
};

/// The values that a contract's options come to on one architecture. All are ints, so that an option can name the
/// member that it sets.
struct resolved_contract {
  int block_x = 0;                  ///< threads; 0: not stated. The largest block where launches choose the block
  int block_y = 1;                  ///< threads
  int block_z = 1;                  ///< threads
  int block_varies = 0;             ///< 1: each launch chooses its block, of up to block_x threads
  int min_threads = 0;              ///< the fewest threads of such a block; 0: not stated
  int max_registers = 0;            ///< per thread; 0: not stated
  int min_registers = 0;            ///< per thread; 0: not stated
  int static_shared_memory = 0;     ///< bytes per block
  int dynamic_shared_memory = 0;    ///< bytes per block, apart from dynamic_per_thread; the most if dynamic_varies
  int dynamic_per_thread = 0;       ///< bytes that each thread of a block adds
  int dynamic_varies = 0;           ///< 1: each launch chooses its bytes, up to these
  int dynamic_alignment = 1;        ///< bytes; of a layout in the dynamic shared memory
  int barriers = 1;                 ///< per block
  int cluster_x = 1;                ///< blocks
  int cluster_y = 1;                ///< blocks
  int cluster_z = 1;                ///< blocks
  int spill_budget = 0;             ///< bytes per thread
  int minimum = 0;                  ///< promised per SM, in `unit`; 0: no promise
  int unit = minimum_unit::blocks;  ///< one of minimum_unit
  int max_blocks = unlimited;       ///< resident per SM
  int min_blocks_bound = 1;         ///< 1: the minimum is the second argument of `__launch_bounds__`; 0: it is omitted
  int promise_required = 0;         ///< 1: a launch whose promise the device misses is an error

  /// Threads of a block; of the largest where launches choose the block.
  WARPGUARD_DETAIL_HOST constexpr int threads() const { return block_x * block_y * block_z; }
  /// Threads of the smallest block.
  WARPGUARD_DETAIL_HOST constexpr int least_threads() const {
    if (block_varies == 0) return threads();
    return min_threads > 0 ? min_threads : 1;
  }
  /// Blocks of a cluster; 1: no clusters.
  WARPGUARD_DETAIL_HOST constexpr int cluster_size() const { return cluster_x * cluster_y * cluster_z; }

  /// Dynamic bytes of a block of `threads`, the most if launches choose them; `unlimited` for more than an int holds.
  WARPGUARD_DETAIL_HOST constexpr int dynamic_bytes(int threads) const {
    if (dynamic_per_thread == 0) return dynamic_shared_memory;
    long long const bytes = dynamic_shared_memory + 1LL * dynamic_per_thread * threads;
    return bytes < unlimited ? static_cast<int>(bytes) : unlimited;
  }

  /// The most that a block of `threads` takes.
  WARPGUARD_DETAIL_HOST constexpr kernel_resources resources(int threads) const {
    return {threads, max_registers, static_shared_memory, dynamic_bytes(threads), barriers};
  }
  /// The most that a block takes; the largest where launches choose the block.
  WARPGUARD_DETAIL_HOST constexpr kernel_resources resources() const { return resources(threads()); }

  /// The least that a block of `threads` takes: what is certain before ptxas has run, and whatever a launch chooses.
  WARPGUARD_DETAIL_HOST constexpr kernel_resources least_resources(int threads) const {
    return {threads, min_registers, static_shared_memory, dynamic_varies != 0 ? 0 : dynamic_bytes(threads), barriers};
  }

  /// Whether a block may take less than resources() says.
  WARPGUARD_DETAIL_HOST constexpr bool may_take_less() const {
    return max_registers != min_registers || dynamic_varies != 0;
  }

  /// The promised minimum, if an SM has `max_warps_per_sm` warps.
  WARPGUARD_DETAIL_HOST constexpr residency_goal goal(int max_warps_per_sm) const {
    switch (unit) {
      case minimum_unit::percent: return {0, detail::divide_up(minimum * max_warps_per_sm, 100)};
      case minimum_unit::warps: return {0, minimum};
      default: return {minimum, 0};
    }
  }

  /// The promised minimum in blocks of `threads` per SM; 0 without a promise.
  WARPGUARD_DETAIL_HOST constexpr int blocks_required(architecture const& arch, int threads) const {
    if (unit >= minimum_unit::blocks || minimum == 0) return minimum;
    return goal(arch.max_warps_per_sm).blocks_of(detail::divide_up(threads, arch.warp_size));
  }
  /// The same for the largest block.
  WARPGUARD_DETAIL_HOST constexpr int blocks_required(architecture const& arch) const {
    return blocks_required(arch, threads());
  }

  /// The promised maximum in blocks per SM; `unlimited` without a promise.
  WARPGUARD_DETAIL_HOST constexpr int blocks_allowed() const {
    return unit == minimum_unit::exact_blocks ? detail::min_of(minimum, max_blocks) : max_blocks;
  }

  /// The second argument of `__launch_bounds__`, for the largest block; 0 omits it.
  WARPGUARD_DETAIL_HOST constexpr int launch_min_blocks(architecture const& arch) const {
    return min_blocks_bound != 0 ? blocks_required(arch) : 0;
  }

  /// The most registers per thread that the compiler may use: ptxas's cap under these launch bounds, or max_registers
  /// if that is less. `impossible` if the block cannot run.
  WARPGUARD_DETAIL_HOST constexpr int register_cap(architecture const& arch) const {
    int const blocks = launch_min_blocks(arch);
    int const cap = max_registers_per_thread(arch, threads(), blocks > 0 ? blocks : 1);
    return max_registers > 0 ? detail::min_of(cap, max_registers) : cap;
  }
};

}  // namespace warpguard
