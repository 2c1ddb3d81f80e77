// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The model asked backwards: what may a block take so that a wanted number of blocks stays resident? Each answer is
/// the largest that occupancy_of() still grants, and `impossible` where there is none; nothing is clamped.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// The answer where no amount of the resource gives the wanted residency.
inline constexpr int impossible = -1;

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool fits(architecture const& arch, kernel_resources const& kernel,
                                          shared_memory_config const& config, int blocks_per_sm) {
  return blocks_per_sm >= 1 && occupancy_of(arch, kernel, config).blocks_per_sm >= blocks_per_sm;
}

}  // namespace detail

/// The most 32-bit registers per thread with which `blocks_per_sm` blocks of `threads_per_block` threads are resident;
/// `impossible` where those threads alone are too many. This is what ptxas caps a kernel at under
/// `__launch_bounds__(threads_per_block, blocks_per_sm)`, and where it is impossible ptxas drops the bound. On 6.0
/// alone ptxas may cap at less: it counts four sub-partitions there.
WARPGUARD_HOST_DEVICE constexpr int max_registers_per_thread(architecture_ref arch, int threads_per_block,
                                                             int blocks_per_sm) {
  kernel_resources kernel{threads_per_block};
  int fitting = 0;
  if (!is_valid(arch) || !detail::fits(arch, kernel, {}, blocks_per_sm)) return impossible;
  for (int too_many = arch.max_registers_per_thread + 1; too_many - fitting > 1;) {
    kernel.registers_per_thread = fitting + (too_many - fitting) / 2;
    if (detail::fits(arch, kernel, {}, blocks_per_sm)) {
      fitting = kernel.registers_per_thread;
    } else {
      too_many = kernel.registers_per_thread;
    }
  }
  return fitting > 0 ? fitting : impossible;
}

/// The most bytes of shared memory per block, static and dynamic together, with which `blocks_per_sm` blocks are
/// resident; the shared memory that `kernel` names is ignored. `impossible` where the rest of `kernel` does not allow
/// so many blocks, or not even 0 bytes would fit.
WARPGUARD_HOST_DEVICE constexpr int max_shared_memory(architecture_ref arch, kernel_resources kernel, int blocks_per_sm,
                                                      shared_memory_config config = {}) {
  kernel.static_shared_memory = 0;
  kernel.dynamic_shared_memory = 0;
  if (!is_valid(arch) || blocks_per_sm < 1) return impossible;
  // What a block gets changes only with the carve-out, so the answer fills a carve-out, or is the limit of a block.
  // Both are rounded down to what is allocated, which includes the reserve.
  int const reserve = arch.reserved_shared_per_block;
  int const limit = detail::most_shared_memory_per_block(arch, config.opt_in) + reserve;
  int best = impossible;
  for (int i = 0; i < 10; ++i) {
    int const share = detail::min_of(detail::carveout_bytes(arch, i) / blocks_per_sm, limit);
    kernel.dynamic_shared_memory = share / arch.shared_allocation_unit * arch.shared_allocation_unit - reserve;
    if (kernel.dynamic_shared_memory > best && detail::fits(arch, kernel, config, blocks_per_sm)) {
      best = kernel.dynamic_shared_memory;
    }
  }
  return best;
}

/// The most bytes of dynamic shared memory per block beside `kernel`'s static shared memory with which `blocks_per_sm`
/// blocks are resident; `kernel.dynamic_shared_memory` is ignored. `impossible` where the static part alone is too
/// much. (cudaOccAvailableDynamicSMemPerBlock() forgets the driver's reserve for two and more blocks.)
WARPGUARD_HOST_DEVICE constexpr int max_dynamic_shared_memory(architecture_ref arch, kernel_resources const& kernel,
                                                              int blocks_per_sm, shared_memory_config config = {}) {
  int const together = max_shared_memory(arch, kernel, blocks_per_sm, config);
  int const taken = kernel.static_shared_memory;
  if (taken < 0 || together < taken) return impossible;
  return together - taken;
}

/// The same for static shared memory beside `kernel`'s dynamic shared memory; never more than a block may have without
/// opting in (48 KiB on 2.0 and later), because ptxas refuses more.
WARPGUARD_HOST_DEVICE constexpr int max_static_shared_memory(architecture_ref arch, kernel_resources const& kernel,
                                                             int blocks_per_sm, shared_memory_config config = {}) {
  int const together = max_shared_memory(arch, kernel, blocks_per_sm, config);
  int const taken = kernel.dynamic_shared_memory;
  if (taken < 0 || together < taken) return impossible;
  return detail::min_of(together - taken, arch.max_shared_per_block_default);
}

/// The most threads per block, a multiple of the warp size, with which `blocks_per_sm` blocks are resident;
/// `kernel.threads_per_block` is ignored.
WARPGUARD_HOST_DEVICE constexpr int max_threads_per_block(architecture_ref arch, kernel_resources kernel,
                                                          int blocks_per_sm, shared_memory_config config = {}) {
  if (!is_valid(arch)) return impossible;
  for (int warps = arch.max_threads_per_block / arch.warp_size; warps >= 1; --warps) {
    kernel.threads_per_block = warps * arch.warp_size;
    if (detail::fits(arch, kernel, config, blocks_per_sm)) return kernel.threads_per_block;
  }
  return impossible;
}

/// The smallest carve-out, as the percentage for cudaFuncAttributePreferredSharedMemoryCarveout, with which
/// `blocks_per_sm` blocks are resident: what is left is L1. `impossible` before 7.0, where there is no such percentage.
WARPGUARD_HOST_DEVICE constexpr int min_carveout_percent(architecture_ref arch, kernel_resources const& kernel,
                                                         int blocks_per_sm, bool opt_in = true) {
  if (!is_valid(arch) || !detail::has_rule(arch, allocation_rule::carveouts)) return impossible;
  for (int percent = 0; percent <= 100; ++percent) {
    if (detail::fits(arch, kernel, {percent, cache_preference::none, opt_in}, blocks_per_sm)) return percent;
  }
  return impossible;
}

}  // namespace warpguard
