// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The block size that keeps the most threads resident: the answers of cudaOccupancyMaxPotentialBlockSize(), also as
/// constant expressions. contract/suggested_block.hpp makes an option of the answer.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// The block sizes that are tried, in threads; 0 is the default of a member. With a negative number the answer is
/// `impossible`.
struct block_size_limits {
  /// The largest block, such as the first argument of the kernel's `__launch_bounds__`. 0, or more than the
  /// architecture's blocks have: the architecture's.
  int at_most = 0;
  /// Only multiples of this. 0: multiples of the warp size and, as in NVIDIA's function, at_most itself.
  int multiple_of = 0;
  /// Only divisors of this, such as the number of elements that a block processes. 0: any.
  int divisor_of = 0;
};

namespace detail {

/// In place of a function: the kernel's dynamic shared memory does not depend on the block size.
struct same_shared_memory {};

/// The limits that do not depend on the block size.
struct block_size_search {
  register_files files;
  int max_warps;   ///< resident warps
  int max_blocks;  ///< by block slots, barriers and virtual resources
};

WARPGUARD_HOST_DEVICE constexpr block_size_search search_for(architecture const& arch, kernel_resources const& kernel) {
  block_size_search search{{1, 0, unlimited}, arch.max_warps_per_sm, arch.max_blocks_per_sm};
  if (kernel.registers_per_thread > 0) search.files = files_of(arch, kernel.registers_per_thread);
  search.max_warps = min_of(search.max_warps, search.files.warps);
  search.max_blocks = min_of(search.max_blocks, blocks_by_barriers(arch, kernel.barriers));
  search.max_blocks = min_of(search.max_blocks, blocks_by_virtual_resources(arch, kernel.virtual_resources));
  return search;
}

/// Returns the blocks that `bytes` of shared memory per block allow.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_bytes(architecture const& arch, shared_memory_config const& config,
                                                    long long bytes) {
  int const per_block = bytes < 0 ? -1 : shared_memory_of_block(arch, config, bytes);
  return per_block < 0 ? 0 : blocks_by_shared_memory(shared_memory_budget(arch, config, per_block), per_block);
}

/// Returns the blocks of a size that warp slots and registers allow.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_size(architecture const& arch, kernel_resources const& kernel,
                                                   block_size_search const& search, int threads, int warps) {
  bool halved = asks_for_half(arch, kernel.caching);
  if (!halved && arch.register_allocation_granularity == granularity::warp) {
    // search.max_warps is the smaller of the two limits.
    bool const fits = kernel.registers_per_thread == 0 || fits_files(arch, search.files, warps);
    return fits ? search.max_warps / warps : 0;
  }
  int by_registers = unlimited;
  if (kernel.registers_per_thread > 0) {
    by_registers = blocks_by_registers(arch, search.files, warps, registers_of_block(arch, search.files, warps));
    int const by_halves = halved ? blocks_by_halves(arch, search.files, warps, kernel.caching, by_registers) : -1;
    halved = by_halves >= 0;
    if (halved) by_registers = by_halves;
  }
  return min_of(by_registers, blocks_by_warps(arch, threads, warps, halved));
}

#if defined(__NVCC__)
#pragma nv_exec_check_disable  // smem_of_block_size may be a host function if only the host calls this
#endif
template <bool SmemVaries, class SharedMemoryOfBlockSize>
WARPGUARD_HOST_DEVICE constexpr int search_block_size(architecture const& arch, kernel_resources kernel,
                                                      SharedMemoryOfBlockSize const& smem_of_block_size,
                                                      block_size_limits limits, shared_memory_config config) {
  kernel.threads_per_block = 1;
  if (obstacle_of(arch, kernel, config) != obstacle::none) return impossible;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return impossible;
  if ((limits.at_most | limits.multiple_of | limits.divisor_of) < 0) return impossible;

  block_size_search const search = search_for(arch, kernel);
  long long const bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;
  int max_blocks = search.max_blocks;
  if (!SmemVaries) max_blocks = min_of(max_blocks, blocks_by_bytes(arch, config, bytes));

  int largest = arch.max_threads_per_block;
  if (limits.at_most > 0) largest = min_of(largest, limits.at_most);
  int const step = limits.multiple_of > 0 ? limits.multiple_of : arch.warp_size;
  if (limits.multiple_of > 0) largest = largest / step * step;

  int best = impossible;
  int warps_to_win = search.max_warps;  // of a block, at most
  long long max_threads = 0;
  for (int threads = largest, next = 0; threads > 0; threads = next) {
    // No smaller block can win; of equals the larger, which came first, stays.
    if (1LL * threads * max_blocks <= max_threads) break;
    int const warps = divide_up(threads, arch.warp_size);
    if (warps > warps_to_win) {
      next = warps_to_win * arch.warp_size / step * step;
      continue;
    }
    next = (threads - 1) / step * step;
    if (limits.divisor_of > 0 && limits.divisor_of % threads != 0) continue;

    int const blocks_of_size = blocks_by_size(arch, kernel, search, threads, warps);
    int blocks = min_of(max_blocks, blocks_of_size);
    if constexpr (SmemVaries) {
      if (blocks > 0) {
        int const more = smem_of_block_size(threads);
        blocks = more < 0 ? 0 : min_of(blocks, blocks_by_bytes(arch, config, bytes + more));
      }
    }
    if (1LL * blocks * threads <= max_threads) continue;
    max_threads = 1LL * blocks * threads;
    best = threads;
    warps_to_win = search.max_warps / (blocks + 1);  // smaller blocks win only if there are more of them
  }
  return best;
}

}  // namespace detail

/// Returns the block size in threads that keeps the most threads resident on an SM; of several such sizes the largest.
/// If blocks are whole warps, this is the size with the most resident warps. `impossible` if no size within `limits`
/// can run. `kernel.threads_per_block` is ignored. The answer is that of cudaOccMaxPotentialOccupancyBlockSize(),
/// except for the model's deviations in docs/deviations.md.
WARPGUARD_HOST_DEVICE constexpr int suggest_block_size(architecture_ref arch, kernel_resources const& kernel,
                                                       block_size_limits limits = {},
                                                       shared_memory_config config = {}) {
  return detail::search_block_size<false>(arch, kernel, detail::same_shared_memory{}, limits, config);
}

/// The same for a kernel whose dynamic shared memory depends on the block size: `smem_of_block_size` is any callable
/// `int(int threads)` that returns bytes, which are added to `kernel`'s; a block size for which it returns less than 0
/// cannot run. It is called at most once for each size, the largest first, and not for sizes that cannot win.
#if defined(__NVCC__)
#pragma nv_exec_check_disable
#endif
template <class SharedMemoryOfBlockSize>
WARPGUARD_HOST_DEVICE constexpr int suggest_block_size(architecture_ref arch, kernel_resources const& kernel,
                                                       SharedMemoryOfBlockSize const& smem_of_block_size,
                                                       block_size_limits limits = {},
                                                       shared_memory_config config = {}) {
  return detail::search_block_size<true>(arch, kernel, smem_of_block_size, limits, config);
}

}  // namespace warpguard
