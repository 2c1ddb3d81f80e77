// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The table: one row of limits per compute capability, 1.0 to 12.1. docs/sources.md has the source of each number.
///
/// To add an architecture: add its row, its name in `architectures`, its line in docs/sources.md, and its line in the
/// second table of tests/hardware/table.cpp. table_check.hpp refuses a row that contradicts itself.

#pragma once

#include "architecture.hpp"
#include "host_device.hpp"

namespace warpguard {

// clang-format off
//                                      warp       max                                                                                                                                                bars
//                                      size     warps                                                        parts                                                                                    /SM
//                                         max thr   max thr max    regs   regs regs  reg  registers        warp     shared shared  shared  sh.   re-  carve-outs                                named        cl.
//                                    cc    /block       /SM blk     /SM /block /thr unit  given to a       gran        /SM /block  opt-in unit serve  KiB                                        bars    cl. max virt  rules
inline constexpr architecture sm_10 { 10, 32,  512, 24,  768,  8,   8192,  8192, 124, 256, granularity::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 1.0
inline constexpr architecture sm_11 { 11, 32,  512, 24,  768,  8,   8192,  8192, 124, 256, granularity::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 1.1
inline constexpr architecture sm_12 { 12, 32,  512, 32, 1024,  8,  16384, 16384, 124, 512, granularity::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 1.2; twice the registers of 1.0
inline constexpr architecture sm_13 { 13, 32,  512, 32, 1024,  8,  16384, 16384, 124, 512, granularity::block, 2, 1,  16384, 16384,  16384, 512,    0, {16},                                        16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 1.3
inline constexpr architecture sm_20 { 20, 32, 1024, 48, 1536,  8,  32768, 32768,  63,  64, granularity::warp,  2, 2,  49152, 49152,  49152, 128,    0, {16, 48},                                    16,  0, 1,  1,   0, allocation_rule::fermi_unit};  ///< the limits of 2.0; Fermi's register unit doubles at eight register counts
inline constexpr architecture sm_21 { 21, 32, 1024, 48, 1536,  8,  32768, 32768,  63,  64, granularity::warp,  2, 2,  49152, 49152,  49152, 128,    0, {16, 48},                                    16,  0, 1,  1,   0, allocation_rule::fermi_unit};  ///< the limits of 2.1
inline constexpr architecture sm_30 { 30, 32, 1024, 64, 2048, 16,  65536, 65536,  63, 256, granularity::warp,  4, 4,  49152, 49152,  49152, 256,    0, {16, 32, 48},                                16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 3.0; 63 registers per thread, unlike the rest of 3.x
inline constexpr architecture sm_32 { 32, 32, 1024, 64, 2048, 16,  65536, 32768, 255, 256, granularity::warp,  4, 4,  49152, 49152,  49152, 256,    0, {16, 32, 48},                                16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 3.2; 32 K registers per block on the Tegra parts 3.2, 5.3 and 6.2
inline constexpr architecture sm_35 { 35, 32, 1024, 64, 2048, 16,  65536, 65536, 255, 256, granularity::warp,  4, 4,  49152, 49152,  49152, 256,    0, {16, 32, 48},                                16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 3.5
inline constexpr architecture sm_37 { 37, 32, 1024, 64, 2048, 16, 131072, 65536, 255, 256, granularity::warp,  4, 4, 114688, 49152,  49152, 256,    0, {80, 96, 112},                               16,  0, 1,  1,   0, allocation_rule::none};  ///< the limits of 3.7; twice the registers, more shared memory; a block still gets 64 K registers and 48 KiB
inline constexpr architecture sm_50 { 50, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, allocation_rule::none};  ///< the limits of 5.0
inline constexpr architecture sm_52 { 52, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4,  98304, 49152,  49152, 256,    0, {96},                                        16, 64, 1,  1,   0, allocation_rule::partitioned};  ///< the limits of 5.2
inline constexpr architecture sm_53 { 53, 32, 1024, 64, 2048, 32,  65536, 32768, 255, 256, granularity::warp,  4, 4,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, allocation_rule::partitioned};  ///< the limits of 5.3
inline constexpr architecture sm_60 { 60, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  2, 2,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, allocation_rule::gp100};  ///< the limits of 6.0; two sub-partitions, and a block must also fit the four of 6.1
inline constexpr architecture sm_61 { 61, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4,  98304, 49152,  49152, 256,    0, {96},                                        16, 64, 1,  1,   0, allocation_rule::partitioned};  ///< the limits of 6.1
inline constexpr architecture sm_62 { 62, 32, 1024, 64, 2048, 32,  65536, 32768, 255, 256, granularity::warp,  4, 4,  65536, 49152,  49152, 256,    0, {64},                                        16, 64, 1,  1,   0, allocation_rule::partitioned};  ///< the limits of 6.2
inline constexpr architecture sm_70 { 70, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4,  98304, 49152,  98304, 256,    0, {0, 8, 16, 32, 64, 96},                      16, 64, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 7.0
inline constexpr architecture sm_72 { 72, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4,  98304, 49152,  98304, 256,    0, {0, 8, 16, 32, 64, 96},                      16, 64, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 7.2; opt-in as 7.0; sources disagree, see docs/sources.md
inline constexpr architecture sm_75 { 75, 32, 1024, 32, 1024, 16,  65536, 65536, 255, 256, granularity::warp,  4, 4,  65536, 49152,  65536, 256,    0, {32, 64},                                    16, 32, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 7.5; half the warps of 7.0
inline constexpr architecture sm_80 { 80, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4, 167936, 49152, 166912, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164},           16, 64, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 8.0; from here on the driver reserves 1 KiB per block
inline constexpr architecture sm_86 { 86, 32, 1024, 48, 1536, 16,  65536, 65536, 255, 256, granularity::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 16, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 8.6
inline constexpr architecture sm_87 { 87, 32, 1024, 48, 1536, 16,  65536, 65536, 255, 256, granularity::warp,  4, 4, 167936, 49152, 166912, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164},           16, 16, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 8.7; Orin: the shared memory of 8.0 with the warps of 8.6
inline constexpr architecture sm_88 { 88, 32, 1024, 48, 1536, 16,  65536, 65536, 255, 256, granularity::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 16, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 8.8; undocumented; limits read from ptxas
inline constexpr architecture sm_89 { 89, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, granularity::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 24, 1,  1,   0, allocation_rule::carveouts};  ///< the limits of 8.9; 24 blocks
inline constexpr architecture sm_90 { 90, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 64, 8, 16,   0, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 9.0; clusters; barriers limit residency from here on
inline constexpr architecture sm_100{100, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 64, 8, 16, 128, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 10.0
inline constexpr architecture sm_101{101, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, granularity::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 24, 8,  0, 128, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 10.1; became 11.0 in CUDA 13
inline constexpr architecture sm_103{103, 32, 1024, 64, 2048, 32,  65536, 65536, 255, 256, granularity::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 64, 8,  0, 128, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 10.3
inline constexpr architecture sm_110{110, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, granularity::warp,  4, 4, 233472, 49152, 232448, 128, 1024, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 16, 24, 8,  0, 128, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 11.0
inline constexpr architecture sm_120{120, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, granularity::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 24, 8,  8, 128, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 12.0; shared memory as on 8.9
inline constexpr architecture sm_121{121, 32, 1024, 48, 1536, 24,  65536, 65536, 255, 256, granularity::warp,  4, 4, 102400, 49152, 101376, 128, 1024, {0, 8, 16, 32, 64, 100},                     16, 24, 8,  0, 128, allocation_rule::carveouts | allocation_rule::barriers};  ///< the limits of 12.1
// clang-format on

/// Every row, ascending by compute capability.
inline constexpr architecture const* architectures[] = {
    &sm_10, &sm_11, &sm_12, &sm_13,  &sm_20,  &sm_21,  &sm_30,  &sm_32,  &sm_35, &sm_37, &sm_50,
    &sm_52, &sm_53, &sm_60, &sm_61,  &sm_62,  &sm_70,  &sm_72,  &sm_75,  &sm_80, &sm_86, &sm_87,
    &sm_88, &sm_89, &sm_90, &sm_100, &sm_101, &sm_103, &sm_110, &sm_120, &sm_121};

namespace detail {

/// Returns the index of a compute capability in `architectures`, or -1. For host code. An index, because under
/// -fsanitize=undefined g++ rejects a comparison with nullptr in a constant expression.
WARPGUARD_DETAIL_HOST constexpr int row_index(int compute_capability) {
  int index = 0;
  for (architecture const* row : architectures) {
    if (row->compute_capability == compute_capability) return index;
    ++index;
  }
  return -1;
}

/// The same as a constant, also inside kernels.
template <int ComputeCapability>
inline constexpr int row_of = row_index(ComputeCapability);

}  // namespace detail

/// The row of a compute capability, written as 10 * major + minor (90 is 9.0), or nullptr for an unknown one: there is
/// no default GPU. For host code, as a constant or at run time. Inside a kernel use `sm<90>::limits()` or a row's name.
WARPGUARD_DETAIL_HOST constexpr architecture const* find_architecture(int compute_capability) {
  for (architecture const* row : architectures) {
    if (row->compute_capability == compute_capability) return row;
  }
  return nullptr;
}

}  // namespace warpguard
