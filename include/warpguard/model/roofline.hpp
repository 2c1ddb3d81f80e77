// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The roofline: how fast a kernel can be at most, by the operations that it does for each byte that it moves. A model:
/// it takes computing and moving to overlap completely.

#pragma once

#include "../hardware/host_device.hpp"
#include "capacity.hpp"

namespace warpguard {

/// What a device can do at most.
struct roofline {
  int gigaoperations_per_second;  ///< peak of the operations that are counted, 10^9 per second (1 TFLOP/s is 1000)
  int gigabytes_per_second;       ///< bandwidth of the memory whose bytes are counted, 10^9 bytes per second
};

/// What a kernel does. The ratio of the two is its arithmetic intensity.
struct kernel_work {
  long long operations;  ///< a fused multiply-add counts as two
  long long bytes;       ///< moved between the memory and the chip
};

namespace detail {

/// Returns the smaller of `most` and value * factor / divisor, rounded down. Needs value >= 0, factor >= 0, divisor > 0
/// and most >= 0; cannot overflow.
WARPGUARD_HOST_DEVICE constexpr long long multiply_divide(long long value, int factor, long long divisor,
                                                          long long most) {
  // The binary digits of `factor`, the highest first; quotient and rest are those of value * (the digits so far).
  unsigned long long const unit = static_cast<unsigned long long>(divisor);
  unsigned long long const whole = static_cast<unsigned long long>(value) / unit;
  unsigned long long const part = static_cast<unsigned long long>(value) % unit;
  unsigned long long const limit = static_cast<unsigned long long>(most);
  unsigned long long quotient = 0;
  unsigned long long rest = 0;
  for (int digit = 30; digit >= 0; --digit) {
    bool const is_set = (factor >> digit & 1) != 0;
    quotient = 2 * quotient + (2 * rest >= unit ? 1 : 0);
    rest = 2 * rest >= unit ? 2 * rest - unit : 2 * rest;
    if (quotient > limit) return most;  // it only grows
    if (is_set) {
      quotient += whole + (rest + part >= unit ? 1 : 0);
      rest = rest + part >= unit ? rest + part - unit : rest + part;
      if (quotient > limit) return most;
    }
  }
  return static_cast<long long>(quotient);
}

WARPGUARD_HOST_DEVICE constexpr bool is_valid(roofline const& roof, kernel_work const& work) {
  return roof.gigaoperations_per_second > 0 && roof.gigabytes_per_second > 0 && work.operations >= 0 && work.bytes > 0;
}

}  // namespace detail

/// Returns the most operations that the kernel can do, in 10^9 per second, rounded down: the smaller of the peak and of
/// intensity x bandwidth. `impossible` unless the device's numbers and the bytes are above 0 and the operations not
/// below 0.
WARPGUARD_HOST_DEVICE constexpr int attainable_gigaoperations(roofline const& roof, kernel_work const& work) {
  if (!detail::is_valid(roof, work)) return impossible;
  long long const peak = roof.gigaoperations_per_second;
  long long const by_bytes = detail::multiply_divide(work.operations, roof.gigabytes_per_second, work.bytes, peak);
  return static_cast<int>(by_bytes);
}

/// Whether the bandwidth limits the kernel and not the peak: its intensity is below that of the roofline's ridge, which
/// is peak / bandwidth. Exact. False for numbers that attainable_gigaoperations() refuses.
WARPGUARD_HOST_DEVICE constexpr bool is_bound_by_memory(roofline const& roof, kernel_work const& work) {
  if (!detail::is_valid(roof, work)) return false;
  // Rounded down, intensity x bandwidth is below the peak, an integer, iff it is below it unrounded.
  return attainable_gigaoperations(roof, work) < roof.gigaoperations_per_second;
}

}  // namespace warpguard
