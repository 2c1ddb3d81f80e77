// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The roofline: how fast a kernel can be at most, by the operations that it does for each byte that it moves. A model:
/// it takes computing and moving to overlap completely.

#pragma once

#include "../hardware/arithmetic.hpp"
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
