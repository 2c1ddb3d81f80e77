// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which block size keeps the most threads resident: the question of cudaOccupancyMaxPotentialBlockSize(), with the
/// same answers, as a constant expression too. The limits themselves are occupancy.hpp's; as a type the answer is
/// suggested_block.hpp's.

#pragma once

#include "../hardware/architecture.hpp"
#include "capacity.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// Which block sizes are tried, in threads; 0 leaves a member to its default. A number below 0 is no limit that
/// anything could keep: the answer is `impossible`.
struct block_size_limits {
  /// The largest block, such as the first argument of the kernel's `__launch_bounds__`. 0, or more than the
  /// architecture's blocks have: the architecture's.
  int at_most = 0;
  /// Only multiples of this. 0: multiples of the warp size and, as NVIDIA does it, at_most itself.
  int multiple_of = 0;
  /// Only sizes that divide this, such as the number of elements that a block walks through. 0: any.
  int divisor_of = 0;
};

namespace detail {

/// The dynamic shared memory of kernels that take the same number of bytes whatever the block size.
struct no_more_shared_memory {
  WARPGUARD_HOST_DEVICE constexpr int operator()(int) const { return 0; }
};

/// What does not change with the block size.
struct block_size_search {
  register_files files;
  int most_warps;   ///< that can be resident, whatever the block size
  int most_blocks;  ///< by block slots, barriers and virtual resources
};

WARPGUARD_HOST_DEVICE constexpr block_size_search search_for(architecture const& arch, kernel_resources const& kernel) {
  block_size_search search{{1, 0, unlimited}, arch.max_warps_per_sm, arch.max_blocks_per_sm};
  if (kernel.registers_per_thread > 0) search.files = files_of(arch, kernel.registers_per_thread);
  search.most_warps = min_of(search.most_warps, search.files.warps);
  search.most_blocks = min_of(search.most_blocks, blocks_by_barriers(arch, kernel.barriers));
  search.most_blocks = min_of(search.most_blocks, blocks_by_virtual_resources(arch, kernel.virtual_resources));
  return search;
}

/// Bytes of shared memory per block turned into blocks.
WARPGUARD_HOST_DEVICE constexpr int blocks_by_bytes(architecture const& arch, shared_memory_config const& config,
                                                    long long bytes) {
  int const per_block = bytes < 0 ? -1 : shared_memory_of_block(arch, config, bytes);
  return per_block < 0 ? 0 : blocks_by_shared_memory(shared_memory_budget(arch, config, per_block), per_block);
}

#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // smem_of_block_size may be the host's, as long as only the host asks
#endif
template <class SharedMemoryOfBlockSize>
WARPGUARD_HOST_DEVICE constexpr int search_block_size(architecture const& arch, kernel_resources kernel,
                                                      SharedMemoryOfBlockSize const& smem_of_block_size,
                                                      bool smem_varies, block_size_limits limits,
                                                      shared_memory_config config) {
  kernel.threads_per_block = 1;
  if (obstacle_of(arch, kernel, config) != obstacle::none) return impossible;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return impossible;
  if ((limits.at_most | limits.multiple_of | limits.divisor_of) < 0) return impossible;

  block_size_search const search = search_for(arch, kernel);
  long long const bytes = 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory;
  int most_blocks = search.most_blocks;
  if (!smem_varies) most_blocks = min_of(most_blocks, blocks_by_bytes(arch, config, bytes));

  int largest = arch.max_threads_per_block;
  if (limits.at_most > 0) largest = min_of(largest, limits.at_most);
  int const step = limits.multiple_of > 0 ? limits.multiple_of : arch.warp_size;
  if (limits.multiple_of > 0) largest = largest / step * step;

  int best = impossible;
  int warps_to_win = search.most_warps;  // of a block, at most
  long long most_threads = 0;
  for (int threads = largest, next = 0; threads > 0; threads = next) {
    // Of equals the larger, which came first, stays: nothing wins anymore.
    if (1LL * threads * most_blocks <= most_threads) break;
    int const warps = divide_up(threads, arch.warp_size);
    if (warps > warps_to_win) {
      next = warps_to_win * arch.warp_size / step * step;
      continue;
    }
    next = (threads - 1) / step * step;
    if (limits.divisor_of > 0 && limits.divisor_of % threads != 0) continue;

    bool halved = asks_for_half(arch, kernel.caching);
    int blocks = most_blocks;
    if (kernel.registers_per_thread > 0) {
      int const by_registers =
          blocks_by_registers(arch, search.files, warps, registers_of_block(arch, search.files, warps));
      int const by_halves = halved ? blocks_by_halves(arch, search.files, warps, kernel.caching, by_registers) : -1;
      halved = by_halves >= 0;
      blocks = min_of(blocks, halved ? by_halves : by_registers);
    }
    blocks = min_of(blocks, blocks_by_warps(arch, threads, warps, halved));
    if (smem_varies && blocks > 0) {
      int const more = smem_of_block_size(threads);
      blocks = more < 0 ? 0 : min_of(blocks, blocks_by_bytes(arch, config, bytes + more));
    }
    if (1LL * blocks * threads <= most_threads) continue;
    most_threads = 1LL * blocks * threads;
    best = threads;
    warps_to_win = search.most_warps / (blocks + 1);  // smaller blocks win if there are more of them
  }
  return best;
}

}  // namespace detail

/// The block size in threads that keeps the most threads resident on an SM, and of several such sizes the largest:
/// where blocks are whole warps, that is the one with the most resident warps. `impossible` where a block of no size
/// that `limits` allow can run. `kernel.threads_per_block` is ignored. This is the answer of
/// cudaOccMaxPotentialOccupancyBlockSize(), with the exceptions that docs/deviations.md has for the model.
WARPGUARD_HOST_DEVICE constexpr int suggest_block_size(architecture_ref arch, kernel_resources const& kernel,
                                                       block_size_limits limits = {},
                                                       shared_memory_config config = {}) {
  return detail::search_block_size(arch, kernel, detail::no_more_shared_memory{}, false, limits, config);
}

/// The same for a kernel whose dynamic shared memory depends on the block size: `smem_of_block_size` is any callable
/// `int(int threads)` that answers in bytes, which come on top of `kernel`'s; a block size for which it answers less
/// than 0 cannot run. It is called once at most for each size, the largest first, and not for those that cannot win.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <class SharedMemoryOfBlockSize>
WARPGUARD_HOST_DEVICE constexpr int suggest_block_size(architecture_ref arch, kernel_resources const& kernel,
                                                       SharedMemoryOfBlockSize const& smem_of_block_size,
                                                       block_size_limits limits = {},
                                                       shared_memory_config config = {}) {
  return detail::search_block_size(arch, kernel, smem_of_block_size, true, limits, config);
}

}  // namespace warpguard
