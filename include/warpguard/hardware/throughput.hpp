// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// How many multiply-adds an SM executes per clock, by kind of number: one row per compute capability, 1.0 to 12.1.
/// docs/products.md has the source of each number. What a product reaches with them is in peak.hpp.
///
/// To add an architecture: add its row here, and its row in the second table of tests/hardware/throughput.cpp.

#pragma once

#include "host_device.hpp"

namespace warpguard {

/// A rate, clock or peak that has no source.
inline constexpr int not_known = -1;

/// What one SM executes per clock. The unit is fused multiply-adds, each of which counts as two operations. 0: the SM
/// has no unit for these numbers. `not_known`: no source was found.
struct throughput {
  int compute_capability;  ///< 10 * major + minor
  int fp64;                ///< double, outside tensor cores
  int fp32;                ///< float, outside tensor cores
  int fp16;                ///< half2, outside tensor cores
  int bf16;                ///< bfloat162, outside tensor cores
  int tensor_fp64;         ///< tensor cores, double
  int tensor_tf32;         ///< tensor cores, TF32, sums in FP32
  int tensor_fp16;         ///< tensor cores, half, sums in FP16 or FP32 (a GeForce is slower in FP32: see `product`)
  int tensor_bf16;         ///< tensor cores, bfloat16, sums in FP32
  int tensor_fp8;          ///< tensor cores, E4M3 and E5M2; the highest rate of any type of sum
  int tensor_fp6;          ///< tensor cores, E2M3 and E3M2
  int tensor_fp4;          ///< tensor cores, E2M1
  int tensor_int8;         ///< tensor cores, 8-bit integers, sums in 32 bits
  int sparsity;            ///< factor of all tensor rates but FP64 if 2 of 4 elements are zeros; 1: no gain
};

/// How functions take a row; `architecture_ref` explains why.
#if defined(__CUDA_ARCH__)
using throughput_ref = throughput;
#else
using throughput_ref = throughput const&;
#endif

// clang-format off
/// Every row, ascending by compute capability.
inline constexpr throughput throughputs[] = {
//   ------ outside tensor cores -----  --------------------- tensor cores ----------------------------
// cc  fp64 fp32       fp16       bf16       fp64       tf32       fp16       bf16        fp8        fp6        fp4       int8   sparsity
  { 10,  0,   8,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 11,  0,   8,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 12,  0,   8,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 13,  1,   8,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 20, 16,  32,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 21,  4,  48,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 30,  8, 192,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 32,  8, 192,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 35, 64, 192,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},  // FP64: 8 on a GeForce
  { 37, 64, 192,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 50,  4, 128,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 52,  4, 128,         0,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 53,  4, 128,       256,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 60, 32,  64,       128,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 61,  4, 128,         2,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 62,  4, 128,       256,         0,         0,         0,         0,         0,         0,         0,         0,         0,         1},
  { 70, 32,  64,       128,         0,         0,         0,       512,         0,         0,         0,         0,         0,         1},
  { 72, not_known, 64, 128,         0,         0,         0,       512,         0,         0,         0,         0, not_known,         1},
  { 75,  2,  64,       128,         0,         0,         0,       512,         0,         0,         0,         0,      1024,         1},  // TU116 and TU117 have no tensor cores
  { 80, 32,  64,       256,       128,        64,       512,      1024,      1024,         0,         0,         0,      2048,         2},
  { 86,  2, 128,       128,       128, not_known,       256,       512,       512,         0,         0,         0,      1024,         2},
  { 87,  2, 128, not_known, not_known, not_known, not_known, not_known, not_known,         0,         0,         0,      2048,         2},
  { 88, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, 0,    0,         0, not_known, not_known},
  { 89,  2, 128,       128,       128, not_known,       256,       512,       512,      1024,         0,         0,      1024,         2},
  { 90, 64, 128,       256,       256,       128,      1024,      2048,      2048,      4096,         0,         0,      4096,         2},
  {100, 64, 128,       128,       128,        64,      2048,      4096,      4096,      8192,      8192,     16384,      8192,         2},
  {101, not_known, 128, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known},
  {103,  2, 128, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known},
  {110,  2, 128, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known},
  {120,  2, 128,       128,       128, not_known,       256,       512,       512,      1024, not_known,      2048,      1024,         2},
  {121,  2, 128, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known, not_known},
};
// clang-format on

/// The rates of a compute capability, written as 10 * major + minor (90 is 9.0), or nullptr for an unknown one. For
/// host code, as a constant or at run time.
WARPGUARD_DETAIL_HOST constexpr throughput const* find_throughput(int compute_capability) {
  for (throughput const& row : throughputs) {
    if (row.compute_capability == compute_capability) return &row;
  }
  return nullptr;
}

}  // namespace warpguard
