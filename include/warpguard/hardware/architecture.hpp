// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The limits of one compute capability, and which rows of limits can be an SM. The rows themselves are in table.hpp;
/// what follows from them is in model/.

#pragma once

#include "host_device.hpp"

namespace warpguard {

/// What registers are allocated for: each warp (2.0 and later) or the whole block (1.x).
enum class granularity {
  block,  ///< the block
  warp    ///< each warp
};

/// The limits of one compute capability that occupancy depends on. An aggregate: copy a row and change a member to
/// ask a what-if question. Sizes are bytes unless the name ends in `_kb` (KiB); registers are 32-bit registers.
struct architecture {
  int compute_capability;        ///< 10 * major + minor: 90 is 9.0, 121 is 12.1
  int warp_size;                 ///< threads per warp
  int max_threads_per_block;     ///< threads
  int max_warps_per_sm;          ///< resident warps
  int max_threads_per_sm;        ///< resident threads, max_warps_per_sm * warp_size
  int max_blocks_per_sm;         ///< resident blocks (block slots)
  int registers_per_sm;          ///< register file
  int max_registers_per_block;   ///< registers
  int max_registers_per_thread;  ///< registers, as ptxas allows them
  int register_allocation_unit;  ///< registers of a warp (1.x: a block) are rounded up to a multiple
  /// what registers are allocated for: a warp, or on 1.x a block
  granularity register_allocation_granularity;
  int warp_allocation_granularity;   ///< a block's warps are rounded up to a multiple for its registers
  int sub_partitions;                ///< parts of the SM, each with an equal part of the register file
  int shared_memory_per_sm;          ///< bytes, at the largest carve-out
  int max_shared_per_block_default;  ///< bytes, static + dynamic, without opt-in
  int max_shared_per_block_optin;    ///< bytes, static + dynamic, with opt-in
  int shared_allocation_unit;        ///< bytes; a block's shared memory is rounded up to a multiple
  int reserved_shared_per_block;     ///< bytes that the driver adds to each block's shared memory
  int carveouts_kb[10];              ///< KiB, ascending; entries after the largest are 0
  int named_barriers_per_block;      ///< barriers that one block can use
  int block_barriers_per_sm;         ///< barriers of all resident blocks; 0: not known
  int max_cluster_portable;          ///< blocks per cluster; 1: no clusters
  int max_cluster_nonportable;       ///< blocks per cluster after opting in; 0: not known
  int virtual_resources_per_sm;      ///< cuda_occupancy.h's "virtual resources"; 0: none
  unsigned rules;                    ///< which `allocation_rule`s apply
};

/// How functions take a row: by reference in host code, by value in device code, because kernels may use the value of a
/// host variable but not its address.
#if defined(__CUDA_ARCH__)
using architecture_ref = architecture;
#else
using architecture_ref = architecture const&;
#endif

/// Several GPUs: an array of pointers, or `count` pointers from `first` on, which it does not own. In a kernel only as
/// a constant, because the addresses are those of the host.
struct architecture_list {
  architecture const* const* first = nullptr;  ///< the first of the pointers
  int count = 0;                               ///< of the pointers; less than 1: no GPU

  /// `gpu_count` GPUs from `*first_gpu` on.
  WARPGUARD_HOST_DEVICE constexpr architecture_list(architecture const* const* first_gpu, int gpu_count)
      : first(first_gpu), count(gpu_count) {}
  /// The GPUs of an array.
  template <decltype(sizeof(0)) Count>
  // NOLINTNEXTLINE(google-explicit-constructor): functions take an array as a list
  WARPGUARD_HOST_DEVICE constexpr architecture_list(architecture const* const (&gpus)[Count])
      : first(gpus), count(static_cast<int>(Count)) {}

  /// The first pointer, for a loop over the GPUs.
  WARPGUARD_HOST_DEVICE constexpr architecture const* const* begin() const { return first; }
  /// Behind the last pointer.
  WARPGUARD_HOST_DEVICE constexpr architecture const* const* end() const { return count < 1 ? first : first + count; }
};

/// Allocation rules that only some architectures follow: flags of `architecture::rules`.
struct allocation_rule {
  static constexpr unsigned none = 0;         ///< no such rule
  static constexpr unsigned fermi_unit = 1;   ///< the register unit doubles at 21 22 29 30 37 38 45 46 registers
  static constexpr unsigned partitioned = 2;  ///< partitioned global caching halves the SM for each block
  static constexpr unsigned gp100 = 4;        ///< a block must also fit an SM cut into twice the sub-partitions
  static constexpr unsigned carveouts = 8;    ///< the carve-out is a percentage, and grows to hold one block
  static constexpr unsigned barriers = 16;    ///< barriers limit residency
};

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool has_rule(architecture const& arch, unsigned rule) {
  return (arch.rules & rule) != 0;
}

/// Whether `value` is a power of two of at most `most`. A value is a power of two iff value & (value - 1) is 0.
WARPGUARD_HOST_DEVICE constexpr bool is_unit(int value, int most) {
  return value > 0 && value <= most && (value & (value - 1)) == 0;
}

/// Whether the model can calculate with a row: units are powers of two, nothing is negative, and the bounds are low
/// enough that no sum or product overflows an int. Every question asks it.
WARPGUARD_HOST_DEVICE constexpr bool is_computable(architecture const& arch) {
  // All limits are below 2^24 and none is negative iff their union has no bit above.
  int const limits = arch.max_warps_per_sm | arch.max_blocks_per_sm | arch.max_threads_per_block |
                     arch.max_threads_per_sm | arch.registers_per_sm | arch.max_registers_per_block |
                     arch.shared_memory_per_sm | arch.max_shared_per_block_default | arch.max_shared_per_block_optin |
                     arch.reserved_shared_per_block | arch.block_barriers_per_sm | arch.virtual_resources_per_sm;
  return static_cast<unsigned>(limits) < 1u << 24 && static_cast<unsigned>(arch.max_registers_per_thread) < 1u << 11 &&
         arch.max_warps_per_sm > 0 && arch.max_blocks_per_sm > 0 && is_unit(arch.warp_size, 1 << 10) &&
         is_unit(arch.warp_allocation_granularity, 1 << 10) && is_unit(arch.sub_partitions, 1 << 10) &&
         is_unit(arch.register_allocation_unit, 1 << 15) && is_unit(arch.shared_allocation_unit, 1 << 15);
}

/// The largest carve-out in KiB, or -1 if the list does not ascend.
WARPGUARD_HOST_DEVICE constexpr int largest_carveout_kb(architecture const& arch) {
  int largest = arch.carveouts_kb[0];
  bool ended = false;  // after the largest come zeros
  for (int index = 1; index < 10; ++index) {
    int const carveout = arch.carveouts_kb[index];
    ended = ended || carveout == 0;
    if (ended ? carveout != 0 : carveout <= largest) return -1;
    if (!ended) largest = carveout;
  }
  return largest;
}

}  // namespace detail

/// Whether a row can be an SM: it has warps, registers and shared memory; units are powers of two; no block is larger
/// than the SM; the limits of threads and of warps agree; carve-outs ascend to the whole shared memory.
WARPGUARD_HOST_DEVICE constexpr bool is_valid(architecture const& arch) {
  if (!detail::is_computable(arch)) return false;
  // threads, warps, blocks
  if (arch.max_warps_per_sm < 1 || arch.max_threads_per_sm != 1LL * arch.max_warps_per_sm * arch.warp_size)
    return false;
  if (arch.max_threads_per_block < 1 || arch.max_threads_per_block > arch.max_threads_per_sm) return false;
  if (arch.max_blocks_per_sm < 1 || arch.max_blocks_per_sm > arch.max_warps_per_sm) return false;
  // registers
  if (arch.max_registers_per_thread < 1 || arch.max_registers_per_block < 1) return false;
  if (arch.max_registers_per_block > arch.registers_per_sm) return false;
  if (arch.registers_per_sm % arch.sub_partitions != 0) return false;
  // shared memory
  if (arch.max_shared_per_block_default < 1) return false;
  if (arch.max_shared_per_block_default > arch.max_shared_per_block_optin) return false;
  if (arch.max_shared_per_block_optin > arch.shared_memory_per_sm - arch.reserved_shared_per_block) return false;
  if (arch.carveouts_kb[0] < 0) return false;
  if (detail::largest_carveout_kb(arch) * 1024LL != arch.shared_memory_per_sm) return false;
  // barriers and clusters; 0 is an unpublished number
  if (arch.named_barriers_per_block < 0 || arch.max_cluster_portable < 1) return false;
  return arch.max_cluster_nonportable == 0 || arch.max_cluster_nonportable >= arch.max_cluster_portable;
}

}  // namespace warpguard
