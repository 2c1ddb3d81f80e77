// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests Little's law against numbers that NVIDIA publishes, and against a simulation of a pipeline.

#include "../check.hpp"

#include <warpguard/model/capacity.hpp>
#include <warpguard/model/latency.hpp>

#include <doctest/doctest.h>

#include <climits>

namespace wg = warpguard;

namespace {

/// Warps that hide the latency of arithmetic, as NVIDIA states them.
constexpr bool test_published() {
  // 1.x, 8 lanes: 24 cycles need 192 threads (CUDA C Best Practices Guide, "Register Dependencies").
  EXPECT(wg::min_warps_for({24, 8}) * 32 == 192);
  // CUDA C Programming Guide, "Multiprocessor Level": on 2.x, 32 lanes, 22 cycles need 22 warps; on 3.x, where four
  // schedulers start a warp in each cycle, 11 cycles need 44; on 7.x, with four schedulers too, 4 cycles need 16.
  EXPECT(wg::min_warps_for({22, 32}) == 22);
  EXPECT(wg::min_warps_for({11, 4 * 32}) == 44);
  EXPECT(wg::min_warps_for({4, 4 * 32}) == 16);
  return true;
}
static_assert(test_published());

constexpr bool test_arithmetic() {
  EXPECT(wg::min_warps_for({4, 64}) == 8);
  EXPECT(wg::min_warps_for({4, 64, 2}) == 4);
  EXPECT(wg::min_warps_for({4, 64, 3}) == 3);  // 2.67
  EXPECT(wg::min_warps_for({4, 64, 100}) == 1);
  // 16 lanes start a warp in every other cycle.
  EXPECT(wg::min_warps_for({18, 16}) == 9);
  EXPECT(wg::min_warps_for({0, 64}) == wg::impossible);
  EXPECT(wg::min_warps_for({4, 0}) == wg::impossible);
  EXPECT(wg::min_warps_for({4, 64, 0}) == wg::impossible);
  EXPECT(wg::min_warps_for({INT_MIN, INT_MIN}) == wg::impossible);
  EXPECT(wg::min_warps_for({INT_MAX, INT_MAX}) == wg::impossible);
  EXPECT(wg::min_warps_for({INT_MAX, 32}) == INT_MAX);
  EXPECT(wg::min_warps_for({INT_MAX, INT_MAX, INT_MAX}) == 67108864);  // (2^31 - 1) / 32
  return true;
}
static_assert(test_arithmetic());

constexpr bool test_memory() {
  // 2000 GB/s for 600 ns are 1.2 MB; of 100 SMs each 12000 bytes: 93.75 times the 128 bytes of a warp that loads a
  // float per thread.
  constexpr wg::memory_latency memory{2000, 600, 100};
  EXPECT(wg::bytes_in_flight(memory) == 1200000);
  EXPECT(wg::bytes_in_flight_per_sm(memory) == 12000);
  EXPECT(wg::min_warps_for(memory, 4) == 94);
  EXPECT(wg::min_warps_for(memory, 16) == 24);
  EXPECT(wg::min_blocks_for(memory, 12000) == 1);
  EXPECT(wg::min_blocks_for(memory, 11999) == 2);
  EXPECT(wg::bytes_in_flight_per_sm({2000, 600, 108}) == 11112);  // 11111.1
  EXPECT(wg::bytes_in_flight({0, 600, 100}) == wg::impossible);
  EXPECT(wg::bytes_in_flight({2000, -1, 100}) == wg::impossible);
  EXPECT(wg::bytes_in_flight_per_sm({2000, 600, 0}) == wg::impossible);
  EXPECT(wg::min_warps_for({2000, 600, 0}, 4) == wg::impossible);
  EXPECT(wg::min_warps_for(memory, 0) == wg::impossible);
  EXPECT(wg::min_blocks_for(memory, -1) == wg::impossible);
  EXPECT(wg::bytes_in_flight({INT_MAX, INT_MAX, 1}) == 1LL * INT_MAX * INT_MAX);
  EXPECT(wg::min_blocks_for({INT_MAX, INT_MAX, 1}, 1) == wg::impossible);
  EXPECT(wg::min_warps_for({INT_MAX, INT_MAX, INT_MAX}, INT_MAX) == 1);
  return true;
}
static_assert(test_memory());

/// Returns whether `warps` warps keep units busy that accept a warp every `interval` cycles: each warp issues
/// `independent` instructions and then waits until their results are there, `cycles` after each.
bool keeps_busy(int warps, int cycles, int interval, int independent) {
  constexpr int rounds = 50;
  int free_at = 0;  // the units
  int ready_at[64] = {};
  int issued = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int warp = 0; warp < warps; ++warp) {
      if (free_at < ready_at[warp]) free_at = ready_at[warp];
      ready_at[warp] = free_at + cycles;
      free_at += interval * independent;
      issued += independent;
    }
  }
  return free_at == issued * interval;
}

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_published());
  CHECK(test_arithmetic());
  CHECK(test_memory());
}

TEST_CASE("in a simulation so many warps keep the units busy, and one fewer does not") {
  for (int cycles : {4, 6, 9, 16, 23}) {
    for (int interval : {1, 2, 4}) {
      for (int independent : {1, 2, 3}) {
        int const warps = wg::min_warps_for({cycles, 32 / interval, independent});
        REQUIRE(warps >= 1);
        REQUIRE(warps <= 64);
        CHECK(keeps_busy(warps, cycles, interval, independent));
        if (warps > 1) CHECK(!keeps_busy(warps - 1, cycles, interval, independent));
      }
    }
  }
}
