// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Inverse queries: how much of a resource may a block take so that a wanted number of blocks stays resident? Each
/// answer is the largest amount with which occupancy_of() still reaches that number, or `impossible` if there is none;
/// nothing is clamped.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// The answer if no amount of the resource gives the wanted residency.
inline constexpr int impossible = -1;

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool fits(architecture const& arch, kernel_resources const& kernel,
                                          shared_memory_config const& config, int blocks_per_sm) {
  return blocks_per_sm >= 1 && occupancy_of(arch, kernel, config).blocks_per_sm >= blocks_per_sm;
}

}  // namespace detail

/// Returns the most 32-bit registers per thread with which `blocks_per_sm` blocks of `threads_per_block` threads are
/// resident, or `impossible` if those threads alone are too many. Under `__launch_bounds__(threads_per_block,
/// blocks_per_sm)` ptxas caps a kernel at this number; if it is `impossible`, ptxas drops the bound. On 6.0 ptxas may
/// cap at less, because it counts four sub-partitions there.
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

/// Returns the most bytes of shared memory per block, static and dynamic together, with which `blocks_per_sm` blocks
/// are resident. Ignores `kernel`'s shared memory. `impossible` if the rest of `kernel` does not allow so many blocks,
/// or if not even 0 bytes fit.
WARPGUARD_HOST_DEVICE constexpr int max_shared_bytes(architecture_ref arch, kernel_resources kernel, int blocks_per_sm,
                                                     shared_memory_config config = {}) {
  kernel.static_shared_memory = 0;
  kernel.dynamic_shared_memory = 0;
  if (!is_valid(arch) || blocks_per_sm < 1) return impossible;
  // The answer fills a carve-out, or is the limit of a block; both are rounded down to the allocation unit, and both
  // include the reserve.
  int const reserve = arch.reserved_shared_per_block;
  int const limit = (config.opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default) + reserve;
  int best = impossible;
  for (int index = 0; index < 10; ++index) {
    int const share = detail::min_of(detail::carveout_bytes(arch, index) / blocks_per_sm, limit);
    kernel.dynamic_shared_memory = share / arch.shared_allocation_unit * arch.shared_allocation_unit - reserve;
    if (kernel.dynamic_shared_memory > best && detail::fits(arch, kernel, config, blocks_per_sm)) {
      best = kernel.dynamic_shared_memory;
    }
  }
  return best;
}

/// Returns the most bytes of dynamic shared memory per block, beside `kernel`'s static shared memory, with which
/// `blocks_per_sm` blocks are resident. Ignores `kernel.dynamic_shared_memory`. `impossible` if the static part alone
/// is too much. (cudaOccAvailableDynamicSMemPerBlock() ignores the driver's reserve for two and more blocks.)
WARPGUARD_HOST_DEVICE constexpr int max_dynamic_bytes(architecture_ref arch, kernel_resources const& kernel,
                                                      int blocks_per_sm, shared_memory_config config = {}) {
  int const total = max_shared_bytes(arch, kernel, blocks_per_sm, config);
  int const taken = kernel.static_shared_memory;
  if (taken < 0 || total < taken) return impossible;
  return total - taken;
}

/// The same for static shared memory, beside `kernel`'s dynamic shared memory. At most what a block may have without
/// opting in (48 KiB on 2.0 and later), because ptxas refuses more.
WARPGUARD_HOST_DEVICE constexpr int max_static_bytes(architecture_ref arch, kernel_resources const& kernel,
                                                     int blocks_per_sm, shared_memory_config config = {}) {
  int const total = max_shared_bytes(arch, kernel, blocks_per_sm, config);
  int const taken = kernel.dynamic_shared_memory;
  if (taken < 0 || total < taken) return impossible;
  return detail::min_of(total - taken, arch.max_shared_per_block_default);
}

/// Returns the most threads per block, a multiple of the warp size, with which `blocks_per_sm` blocks are resident.
/// Ignores `kernel.threads_per_block`.
WARPGUARD_HOST_DEVICE constexpr int max_block_size(architecture_ref arch, kernel_resources kernel, int blocks_per_sm,
                                                   shared_memory_config config = {}) {
  if (!is_valid(arch)) return impossible;
  for (int warps = arch.max_threads_per_block / arch.warp_size; warps >= 1; --warps) {
    kernel.threads_per_block = warps * arch.warp_size;
    if (detail::fits(arch, kernel, config, blocks_per_sm)) return kernel.threads_per_block;
  }
  return impossible;
}

/// Returns the smallest carve-out with which `blocks_per_sm` blocks are resident, as the percentage for
/// cudaFuncAttributePreferredSharedMemoryCarveout; the rest is L1. `impossible` before 7.0, which has no such
/// percentage.
WARPGUARD_HOST_DEVICE constexpr int min_carveout_percent(architecture_ref arch, kernel_resources const& kernel,
                                                         int blocks_per_sm, bool opt_in = true) {
  if (!is_valid(arch) || !detail::has_rule(arch, allocation_rule::carveouts)) return impossible;
  for (int percent = 0; percent <= 100; ++percent) {
    if (detail::fits(arch, kernel, {percent, cache_preference::none, opt_in}, blocks_per_sm)) return percent;
  }
  return impossible;
}

}  // namespace warpguard
