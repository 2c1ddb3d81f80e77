// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// How much residency is enough: Little's law, which says how much must be in flight to hide a latency. A model: it
/// takes latencies that the caller has measured or found published, warps that do nothing else, and a steady state. Use
/// an answer as a start, and measure.

#pragma once

#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"

namespace warpguard {

/// An instruction whose latency other instructions are to hide.
struct instruction_latency {
  int cycles;                ///< from the issue of an instruction to the issue of one that needs its result
  int results_per_cycle;     ///< of one SM: CUDA Programming Guide, "Throughput of Native Arithmetic Instructions"
  int independent_each = 1;  ///< independent instructions that each warp has in flight (instruction-level parallelism)
};

/// A memory whose latency loads in flight are to hide.
struct memory_latency {
  int gigabytes_per_second;  ///< bandwidth of the whole device, 10^9 bytes per second
  int nanoseconds;           ///< latency under load
  int sms;                   ///< SMs that share the bandwidth
};

namespace detail {

inline constexpr int threads_of_warp = 32;

/// Returns value / unit rounded up, or `impossible` if that is no int.
WARPGUARD_HOST_DEVICE constexpr int int_divide_up(long long value, long long unit) {
  long long const result = divide_up(value, unit);
  return result <= 2147483647 ? static_cast<int>(result) : impossible;
}

}  // namespace detail

/// Returns the warps that must be resident on an SM so that it can issue such an instruction in each cycle in which its
/// units are free: cycles x results per cycle / (32 x independent instructions), rounded up. `impossible` if a number
/// is below 1. May be more than an SM holds; a contract that promises so many is refused.
WARPGUARD_HOST_DEVICE constexpr int min_warps_for(instruction_latency const& hidden) {
  if (hidden.cycles < 1 || hidden.results_per_cycle < 1 || hidden.independent_each < 1) return impossible;
  return detail::int_divide_up(1LL * hidden.cycles * hidden.results_per_cycle,
                               1LL * detail::threads_of_warp * hidden.independent_each);
}

/// Returns the bytes that must be in flight on the whole device to keep the memory busy: bandwidth x latency.
/// `impossible` if a number is below 1.
WARPGUARD_HOST_DEVICE constexpr long long bytes_in_flight(memory_latency const& hidden) {
  if (hidden.gigabytes_per_second < 1 || hidden.nanoseconds < 1 || hidden.sms < 1) return impossible;
  return 1LL * hidden.gigabytes_per_second * hidden.nanoseconds;
}

/// Returns the bytes of them that each SM must have in flight, rounded up.
WARPGUARD_HOST_DEVICE constexpr long long bytes_in_flight_per_sm(memory_latency const& hidden) {
  long long const bytes = bytes_in_flight(hidden);
  return bytes < 1 ? impossible : detail::divide_up<long long>(bytes, hidden.sms);
}

/// Returns the warps that must be resident on an SM if each thread has loads of `bytes_per_thread` bytes in flight:
/// four independent loads of a float are 16. `impossible` if a number is below 1.
WARPGUARD_HOST_DEVICE constexpr int min_warps_for(memory_latency const& hidden, int bytes_per_thread) {
  long long const bytes = bytes_in_flight_per_sm(hidden);
  if (bytes < 1 || bytes_per_thread < 1) return impossible;
  return detail::int_divide_up(bytes, 1LL * detail::threads_of_warp * bytes_per_thread);
}

/// Returns the blocks that must be resident on an SM if each has `bytes_per_block` bytes in flight: for asynchronous
/// copies, the stages that are not consumed yet. `impossible` if a number is below 1.
WARPGUARD_HOST_DEVICE constexpr int min_blocks_for(memory_latency const& hidden, int bytes_per_block) {
  long long const bytes = bytes_in_flight_per_sm(hidden);
  return bytes < 1 || bytes_per_block < 1 ? impossible : detail::int_divide_up(bytes, bytes_per_block);
}

}  // namespace warpguard
