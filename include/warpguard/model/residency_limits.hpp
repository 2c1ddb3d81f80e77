// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The limits of each residency: how many registers, bytes of shared memory and barriers a block of a size may take if
/// one, two, three blocks are to be resident; on one GPU and on several.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "allocation.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// The most that a block may take of each resource so that `blocks_per_sm` blocks are resident. The limits hold
/// together: a block that takes no more of any resource has this residency.
struct residency_limits {
  int blocks_per_sm = impossible;          ///< `impossible`: no block of this size has this residency
  int warps_per_sm = impossible;           ///< of so many blocks; on several GPUs too
  int registers_at_most = impossible;      ///< per thread
  int shared_memory_at_most = impossible;  ///< bytes per block, static and dynamic together
  int barriers_at_most = impossible;       ///< named barriers per block

  /// Whether so many blocks can be resident at all.
  WARPGUARD_HOST_DEVICE constexpr bool exist() const { return blocks_per_sm != impossible; }
};

/// Returns the most blocks of `threads_per_block` threads that can be resident, whatever else they take: the number of
/// residencies that have limits. 0 if no such block can run.
WARPGUARD_HOST_DEVICE constexpr int max_blocks_of(architecture_ref arch, int threads_per_block) {
  return is_valid(arch) ? occupancy_of(arch, {threads_per_block, 0, 0, 0, 0}).blocks_per_sm : 0;
}

/// Returns the limits of `blocks_per_sm` resident blocks of `threads_per_block` threads, 1 to max_blocks_of(). Without
/// partitioned caching. With a cache preference for L1 on 2.x and 3.x fewer bytes may be worse, because the driver
/// then takes the smaller part of the memory for them.
WARPGUARD_HOST_DEVICE constexpr residency_limits limits_for(architecture_ref arch, int threads_per_block,
                                                            int blocks_per_sm, shared_memory_config config = {}) {
  residency_limits limits;
  kernel_resources const bare{threads_per_block, 0, 0, 0, 0};
  if (!is_valid(arch) || !detail::fits(arch, bare, config, blocks_per_sm)) return limits;
  limits.blocks_per_sm = blocks_per_sm;
  limits.warps_per_sm = blocks_per_sm * detail::divide_up(threads_per_block, arch.warp_size);
  limits.registers_at_most = max_registers_per_thread(arch, threads_per_block, blocks_per_sm);
  limits.shared_memory_at_most = max_shared_bytes(arch, bare, blocks_per_sm, config);
  limits.barriers_at_most = arch.named_barriers_per_block;
  if (detail::has_rule(arch, allocation_rule::barriers)) {
    limits.barriers_at_most = detail::min_of(limits.barriers_at_most, arch.block_barriers_per_sm / blocks_per_sm);
  }
  return limits;
}

/// The same for several GPUs: that many blocks are resident on each. No limits if one of them cannot have so many, or
/// without a GPU. In a kernel only as a constant, because the addresses are those of the host.
WARPGUARD_HOST_DEVICE constexpr residency_limits limits_for(architecture_list const& gpus, int threads_per_block,
                                                            int blocks_per_sm, shared_memory_config config = {}) {
  residency_limits strictest;
  for (architecture const* const gpu : gpus) {
    residency_limits const limits = limits_for(*gpu, threads_per_block, blocks_per_sm, config);
    if (!limits.exist()) return limits;
    if (!strictest.exist()) strictest = limits;
    strictest.registers_at_most = detail::min_of(strictest.registers_at_most, limits.registers_at_most);
    strictest.shared_memory_at_most = detail::min_of(strictest.shared_memory_at_most, limits.shared_memory_at_most);
    strictest.barriers_at_most = detail::min_of(strictest.barriers_at_most, limits.barriers_at_most);
  }
  return strictest;
}

}  // namespace warpguard
