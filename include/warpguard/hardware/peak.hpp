// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// How many operations per second a product can reach: units x clock x SMs x 2. docs/peak-throughput.md works an
/// example by hand and says at which clocks NVIDIA states its figures.

#pragma once

#include "host_device.hpp"
#include "products.hpp"
#include "throughput.hpp"

namespace warpguard {

/// The numbers that are multiplied, and the units that do it. `tensor_fp16` sums in FP32, `tensor_fp16_sum_fp16` in
/// FP16.
enum class precision {
  fp64,                  ///< 64 bits
  fp32,                  ///< 32 bits
  fp16,                  ///< 16 bits
  bf16,                  ///< bfloat16
  tensor_fp64,           ///< 64 bits, on tensor cores
  tensor_tf32,           ///< TF32, on tensor cores; sums in FP32
  tensor_fp16,           ///< 16 bits, on tensor cores; sums in FP32
  tensor_fp16_sum_fp16,  ///< 16 bits, on tensor cores; sums in FP16
  tensor_bf16,           ///< bfloat16, on tensor cores; sums in FP32
  tensor_fp8,            ///< 8 bits, on tensor cores
  tensor_fp6,            ///< 6 bits, on tensor cores
  tensor_fp4,            ///< 4 bits, on tensor cores
  tensor_int8            ///< integers of 8 bits, on tensor cores
};

/// Every precision, for loops.
inline constexpr precision precisions[] = {
    precision::fp64,        precision::fp32,        precision::fp16,        precision::bf16,
    precision::tensor_fp64, precision::tensor_tf32, precision::tensor_fp16, precision::tensor_fp16_sum_fp16,
    precision::tensor_bf16, precision::tensor_fp8,  precision::tensor_fp6,  precision::tensor_fp4,
    precision::tensor_int8};

/// At which clock a peak is calculated.
enum class clock_choice {
  nvidia,  ///< the clock of NVIDIA's own figures, which may be lower for tensor cores
  boost,   ///< the product's boost clock
  base     ///< the product's base clock
};

/// How a peak is calculated.
struct peak_options {
  clock_choice clock = clock_choice::nvidia;  ///< at which clock
  bool sparse = false;                        ///< with 2:4 structured sparsity: only for tensor cores, and not for FP64
};

namespace detail {

WARPGUARD_HOST_DEVICE constexpr bool uses_tensor_cores(precision numbers) { return numbers >= precision::tensor_fp64; }

WARPGUARD_HOST_DEVICE constexpr bool sums_in_fp32(precision numbers) {
  return numbers == precision::tensor_tf32 || numbers == precision::tensor_fp16 || numbers == precision::tensor_bf16;
}

/// NVIDIA states FP64 of tensor cores at the clock of the other units.
WARPGUARD_HOST_DEVICE constexpr int clock_of(product const& device, precision numbers, clock_choice clock) {
  if (clock == clock_choice::boost) return device.boost_clock_mhz;
  if (clock == clock_choice::base) return device.base_clock_mhz;
  return uses_tensor_cores(numbers) && numbers != precision::tensor_fp64 ? device.tensor_peak_clock_mhz
                                                                         : device.peak_clock_mhz;
}

}  // namespace detail

/// Returns the fused multiply-adds per clock and SM; 0 if there is no unit for them, `not_known` without a source.
WARPGUARD_HOST_DEVICE constexpr int fma_per_clock(throughput_ref rates, precision numbers) {
  switch (numbers) {
    case precision::fp64: return rates.fp64;
    case precision::fp32: return rates.fp32;
    case precision::fp16: return rates.fp16;
    case precision::bf16: return rates.bf16;
    case precision::tensor_fp64: return rates.tensor_fp64;
    case precision::tensor_tf32: return rates.tensor_tf32;
    case precision::tensor_fp16: return rates.tensor_fp16;
    case precision::tensor_fp16_sum_fp16: return rates.tensor_fp16;
    case precision::tensor_bf16: return rates.tensor_bf16;
    case precision::tensor_fp8: return rates.tensor_fp8;
    case precision::tensor_fp6: return rates.tensor_fp6;
    case precision::tensor_fp4: return rates.tensor_fp4;
    case precision::tensor_int8: return rates.tensor_int8;
  }
  return not_known;
}

/// Returns the operations per second that `device` reaches if each of its units multiplies and adds in every clock. 0:
/// its SMs have no such unit, or no gain from sparsity. `not_known`: the rate or the clock has no source, or a member
/// of a changed row is out of range (SMs: 1 to 4095; MHz: 1 to 8191; rates: 0 to 65535).
WARPGUARD_HOST_DEVICE constexpr long long peak(product_ref device, throughput_ref rates, precision numbers,
                                               peak_options options = {}) {
  int const rate = fma_per_clock(rates, numbers);
  if (rate == 0) return 0;
  int factor = 1;
  if (options.sparse) {
    if (!detail::uses_tensor_cores(numbers) || numbers == precision::tensor_fp64 || rates.sparsity == 1) return 0;
    factor = rates.sparsity;
  }
  int const clock = detail::clock_of(device, numbers, options.clock);
  int const divisor = detail::sums_in_fp32(numbers) ? device.fp32_sum_divisor : 1;
  // The bounds keep the product below 2^63.
  if (rate < 0 || rate >= 1 << 16 || clock < 1 || clock >= 1 << 13 || device.sms < 1 || device.sms >= 1 << 12)
    return not_known;
  if (factor < 1 || factor > 2 || divisor < 1 || rate % divisor != 0) return not_known;
  return 2LL * factor * (rate / divisor) * device.sms * clock * 1000000;
}

/// The same with the rates of the product's architecture. `not_known` if the compute capability is unknown. For host
/// code, as a constant or at run time.
WARPGUARD_DETAIL_HOST constexpr long long peak(product const& device, precision numbers, peak_options options = {}) {
  // Not find_throughput(): under -fsanitize=undefined g++ rejects a comparison with nullptr in a constant expression.
  for (throughput const& row : throughputs) {
    if (row.compute_capability == device.compute_capability) return peak(device, row, numbers, options);
  }
  return not_known;
}

}  // namespace warpguard
