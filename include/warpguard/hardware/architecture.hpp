// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What the hardware is: one row of limits per compute capability, 1.0 to 12.1, and nothing that is computed
/// from them (that is occupancy.hpp). Where each number comes from is in docs/sources.md.
///
/// To add an architecture: one row in the table, its name in `architectures`, its line in docs/sources.md and
/// in tests/architecture.cpp's second table. A row that contradicts itself does not compile.

#pragma once

#include "host_device.hpp"

namespace warpguard {

/// Who is given registers as one piece: a warp (2.0 and later) or the whole block (1.x).
enum class granularity { block, warp };

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
  int register_allocation_unit;  ///< registers are given to a warp (1.x: block) in multiples of this
  granularity register_allocation_granularity;
  int warp_allocation_granularity;   ///< warps of a block are counted in multiples of this against its registers
  int sub_partitions;                ///< the register file is split evenly among so many
  int shared_memory_per_sm;          ///< bytes, at the largest carve-out
  int max_shared_per_block_default;  ///< bytes, static + dynamic, without opt-in
  int max_shared_per_block_optin;    ///< bytes, static + dynamic, with opt-in
  int shared_allocation_unit;        ///< bytes; a block's shared memory is rounded up to a multiple
  int reserved_shared_per_block;     ///< bytes that the driver adds to every block
  int carveouts_kb[10];              ///< KiB, ascending; entries after the largest are 0
  int named_barriers_per_block;      ///< barriers that one block can use
  int block_barriers_per_sm;         ///< barriers of all resident blocks; 0: not known
  int max_cluster_portable;          ///< blocks per cluster; 1: no clusters
  int max_cluster_nonportable;       ///< blocks per cluster after opting in; 0: not known
  int virtual_resources_per_sm;      ///< cuda_occupancy.h's "virtual resources"; 0: none
  unsigned rules;                    ///< which `allocation_rule`s apply
};

/// How the core takes a row: by reference; in device code as a copy, because the rows are host variables, of which
/// kernels may use the value but not the address.
#if defined(__CUDA_ARCH__)
using architecture_ref = architecture;
#else
using architecture_ref = architecture const&;
#endif

/// Rules of allocation that some architectures have and others do not: flags of `architecture::rules`.
struct allocation_rule {
  static constexpr unsigned none = 0;
  static constexpr unsigned fermi_unit = 1;   ///< the register unit doubles at 21 22 29 30 37 38 45 46 registers
  static constexpr unsigned partitioned = 2;  ///< partitioned global caching halves the SM for each block
  static constexpr unsigned gp100 = 4;        ///< a block must also fit an SM cut into twice the sub-partitions
  static constexpr unsigned carveouts = 8;    ///< the carve-out is a percentage, and grows to hold one block
  static constexpr unsigned barriers = 16;    ///< barriers limit residency
};

namespace detail {
using g = granularity;  // short names for the table's cells
using k = allocation_rule;
}  // namespace detail

// clang-format off
//                                      warp       max                                                                                                                                              bars
//                                      size     warps                                                      parts                                                                                    /SM
//                                         max thr   max thr max    regs   regs regs  reg  registers      warp     shared shared  shared  sh.   re-  carve-outs                                named        cl.
//                                    cc    /block       /SM blk     /SM /block /thr unit  given to a     gran        /SM /block  opt-in unit serve  KiB                                        bars    cl. max virt  rules
inline constexpr architecture sm_10 { 10, 32,  512, 24,  768,  8,   8192,  8192, 124, 256, detail::g::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, detail::k::none};
inline constexpr architecture sm_11 { 11, 32,  512, 24,  768,  8,   8192,  8192, 124, 256, detail::g::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, detail::k::none};
inline constexpr architecture sm_12 { 12, 32,  512, 32, 1024,  8,  16384, 16384, 124, 512, detail::g::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, detail::k::none};  // twice the registers of 1.0
inline constexpr architecture sm_13 { 13, 32,  512, 32, 1024,  8,  16384, 16384, 124, 512, detail::g::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, detail::k::none};
inline constexpr architecture sm_20 { 20, 32, 1024, 48, 1536,  8,  32768, 32768,  63,  64, detail::g::warp,  2, 2,  49152, 49152,  49152, 128,    0, {16, 48},                                    16,  0, 1,  1,   0, detail::k::fermi_unit};  // Fermi's register unit doubles at eight register counts
inline constexpr architecture sm_21 { 21, 32, 1024, 48, 1536,  8,  32768, 32768,  63,  64, detail::g::warp,  2, 2,  49152, 49152,  49152, 128,    0, {16, 48},                                    16,  0, 1,  1,   0, detail::k::fermi_unit};
inline constexpr architecture sm_30 { 30, 32, 1024, 64, 2048, 16,  65536, 65536,  63, 256, detail::g::warp,  4, 4,  49152, 49152,  49152, 256,    0, {16, 32, 48},                                16,  0, 1,  1,   0, detail::k::none};  // 63 registers per thread, unlike the rest of 3.x
inline constexpr architecture sm_32 { 32, 32, 1024, 64, 2048, 16,  65536, 32768, 255, 256, detail::g::warp,  4, 4,  49152, 49152,  49152, 256,    0, {16, 32, 48},                                16,  0, 1,  1,   0, detail::k::none};  // 32 K registers per block on the Tegra parts 3.2, 5.3 and 6.2
inline constexpr architecture sm_35 { 35, 32, 1024, 64, 2048, 16,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  49152, 49152,  49152, 256,    0, {16, 32, 48},                                16,  0, 1,  1,   0, detail::k::none};
inline constexpr architecture sm_37 { 37, 32, 1024, 64, 2048, 16, 131072, 65536, 255, 256, detail::g::warp,  4, 4, 114688, 49152,  49152, 256,    0, {80, 96, 112},                               16,  0, 1,  1,   0, detail::k::none};  // twice the registers, more shared memory; a block still gets 64 K registers and 48 KiB
inline constexpr architecture sm_50 { 50, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, detail::k::none};
inline constexpr architecture sm_52 { 52, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  98304, 49152,  49152, 256,    0, {96},                                        16, 64, 1,  1,   0, detail::k::partitioned};
inline constexpr architecture sm_53 { 53, 32, 1024, 64, 2048, 32,  65536, 32768, 255, 256, detail::g::warp,  4, 4,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, detail::k::partitioned};
inline constexpr architecture sm_60 { 60, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  2, 2,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, detail::k::gp100};  // two sub-partitions, and a block must also fit the four of 6.1
inline constexpr architecture sm_61 { 61, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  98304, 49152,  49152, 256,    0, {96},                                        16, 64, 1,  1,   0, detail::k::partitioned};
inline constexpr architecture sm_62 { 62, 32, 1024, 64, 2048, 32,  65536, 32768, 255, 256, detail::g::warp,  4, 4,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, detail::k::partitioned};
inline constexpr architecture sm_70 { 70, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  98304, 49152,  98304, 256,    0, {0, 8, 16, 32, 64, 96},                      16, 64, 1,  1,   0, detail::k::carveouts};
inline constexpr architecture sm_72 { 72, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  98304, 49152,  98304, 256,    0, {0, 8, 16, 32, 64, 96},                      16, 64, 1,  1,   0, detail::k::carveouts};  // opt-in as 7.0; sources disagree, see docs/sources.md
inline constexpr architecture sm_75 { 75, 32, 1024, 32, 1024, 16,  65536, 65536, 255, 256, detail::g::warp,  4, 4,  65536, 49152,  65536, 256,    0, {32, 64},                                    16, 32, 1,  1,   0, detail::k::carveouts};  // half the warps of 7.0
inline constexpr architecture sm_80 { 80, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 167936, 49152, 166912, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164},           16, 64, 1,  1,   0, detail::k::carveouts};  // from here on the driver reserves 1 KiB per block
inline constexpr architecture sm_86 { 86, 32, 1024, 48, 1536, 16,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 16, 1,  1,   0, detail::k::carveouts};
inline constexpr architecture sm_87 { 87, 32, 1024, 48, 1536, 16,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 167936, 49152, 166912, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164},           16, 16, 1,  1,   0, detail::k::carveouts};  // Orin: the shared memory of 8.0 with the warps of 8.6
inline constexpr architecture sm_88 { 88, 32, 1024, 48, 1536, 16,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 16, 1,  1,   0, detail::k::carveouts};  // undocumented; limits read from ptxas
inline constexpr architecture sm_89 { 89, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 24, 1,  1,   0, detail::k::carveouts};  // 24 blocks
inline constexpr architecture sm_90 { 90, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 64, 8, 16,   0, detail::k::carveouts | detail::k::barriers};  // clusters; barriers limit residency from here on
inline constexpr architecture sm_100{100, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 64, 8, 16, 128, detail::k::carveouts | detail::k::barriers};
inline constexpr architecture sm_101{101, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 24, 8,  0, 128, detail::k::carveouts | detail::k::barriers};  // became 11.0 in CUDA 13
inline constexpr architecture sm_103{103, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 64, 8,  0, 128, detail::k::carveouts | detail::k::barriers};
inline constexpr architecture sm_110{110, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 24, 8,  0, 128, detail::k::carveouts | detail::k::barriers};
inline constexpr architecture sm_120{120, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 24, 8,  8, 128, detail::k::carveouts | detail::k::barriers};  // shared memory as on 8.9
inline constexpr architecture sm_121{121, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, detail::g::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 24, 8,  0, 128, detail::k::carveouts | detail::k::barriers};
// clang-format on

/// Every row, ascending by compute capability.
inline constexpr architecture const* architectures[] = {
    &sm_10, &sm_11, &sm_12, &sm_13,  &sm_20,  &sm_21,  &sm_30,  &sm_32,  &sm_35, &sm_37, &sm_50,
    &sm_52, &sm_53, &sm_60, &sm_61,  &sm_62,  &sm_70,  &sm_72,  &sm_75,  &sm_80, &sm_86, &sm_87,
    &sm_88, &sm_89, &sm_90, &sm_100, &sm_101, &sm_103, &sm_110, &sm_120, &sm_121};

namespace detail {

/// Where `architectures` has a compute capability, or -1: for constant expressions anywhere, inside kernels too. Called
/// at run time it would not compile under nvcc, which then wants the rows in device memory. An index, because under
/// -fsanitize=undefined g++ takes no comparison with nullptr for a constant.
WARPGUARD_HOST_DEVICE constexpr int row_index(int compute_capability) {
  int index = 0;
  for (architecture const* row : architectures) {
    if (row->compute_capability == compute_capability) return index;
    ++index;
  }
  return -1;
}

}  // namespace detail

/// The row of a compute capability written as 10 * major + minor (90 is 9.0), or nullptr for one that nobody knows:
/// there is no default GPU. For host code, as a constant or at run time; inside a kernel take `sm<90>::limits()`, or a
/// row by its name.
#if defined(__CUDACC_RTC__)
WARPGUARD_HOST_DEVICE
#endif
constexpr architecture const* find_architecture(int compute_capability) {
  for (architecture const* row : architectures) {
    if (row->compute_capability == compute_capability) return row;
  }
  return nullptr;
}

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool has_rule(architecture const& arch, unsigned rule) {
  return (arch.rules & rule) != 0;
}

/// Whether the model can calculate with a row at all: there are warps and blocks, every unit is a power of two, nothing
/// is negative, and no sum or product overflows. Cheap and without a branch, because every question asks it.
WARPGUARD_HOST_DEVICE constexpr bool is_computable(architecture const& arch) {
  unsigned const limits = static_cast<unsigned>(
      arch.max_threads_per_block | arch.max_threads_per_sm | arch.registers_per_sm | arch.max_registers_per_block |
      arch.shared_memory_per_sm | arch.max_shared_per_block_default | arch.max_shared_per_block_optin |
      arch.reserved_shared_per_block | arch.block_barriers_per_sm | arch.virtual_resources_per_sm);
  unsigned const warp_slots = static_cast<unsigned>(arch.max_warps_per_sm);
  unsigned const block_slots = static_cast<unsigned>(arch.max_blocks_per_sm);
  unsigned const warp = static_cast<unsigned>(arch.warp_size);
  unsigned const registers = static_cast<unsigned>(arch.register_allocation_unit);
  unsigned const warps = static_cast<unsigned>(arch.warp_allocation_granularity);
  unsigned const parts = static_cast<unsigned>(arch.sub_partitions);
  unsigned const shared = static_cast<unsigned>(arch.shared_allocation_unit);
  // A power of two and the number below it share no bit; what is below 0 has every bit, which no bound lets pass.
  unsigned const shared_bits = (warp & (warp - 1)) | (registers & (registers - 1)) | (warps & (warps - 1)) |
                               (parts & (parts - 1)) | (shared & (shared - 1));
  unsigned const slots = warp_slots | block_slots | (warp_slots - 1) | (block_slots - 1);
  unsigned const below_units = (registers - 1) | (shared - 1);
  unsigned const below_factors = (warp - 1) | (warps - 1) | (parts - 1);
  return (((limits | slots) >> 24) | (below_units >> 15) | (below_factors >> 10) |
          (static_cast<unsigned>(arch.max_registers_per_thread) >> 11) | shared_bits) == 0;
}

/// The largest carve-out in KiB, or -1 where the list does not ascend.
WARPGUARD_HOST_DEVICE constexpr int largest_carveout_kb(architecture const& arch) {
  int largest = arch.carveouts_kb[0];
  for (int i = 1; i < 10; ++i) {
    if (arch.carveouts_kb[i] == 0) {
      for (; i < 10; ++i) {
        if (arch.carveouts_kb[i] != 0) return -1;
      }
    } else if (arch.carveouts_kb[i] <= largest) {
      return -1;
    } else {
      largest = arch.carveouts_kb[i];
    }
  }
  return largest;
}

}  // namespace detail

/// Whether a row can be an SM: it has warps, registers and shared memory, units are powers of two, no block is larger
/// than the SM, the two ways of counting threads agree, carve-outs ascend up to the whole shared memory.
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
  // barriers and clusters; a 0 is a number that nobody has published
  if (arch.named_barriers_per_block < 0 || arch.max_cluster_portable < 1) return false;
  return arch.max_cluster_nonportable == 0 || arch.max_cluster_nonportable >= arch.max_cluster_portable;
}

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool table_is_valid() {
  int before = 0;
  for (architecture const* row : architectures) {
    if (!is_valid(*row) || row->compute_capability <= before) return false;
    before = row->compute_capability;
  }
  return true;
}
static_assert(table_is_valid(), "warpguard: a row of the architecture table contradicts itself or is out of order");

}  // namespace detail

}  // namespace warpguard
