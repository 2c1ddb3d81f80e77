// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares waves with a simulation that puts block after block into slots, the best grid with a search over all
/// grids, and splits with dealing out the items.

#include "../check.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/waves.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <cstdlib>
#include <vector>

namespace wg = warpguard;

namespace {

constexpr long long max_grid = 9223372036854775807;

constexpr bool test_by_hand() {
  // 132 SMs hold 6 blocks each: 792. The 800 blocks of the grid are one wave and 8 blocks, for which 784 slots wait.
  constexpr wg::grid_waves waves = wg::waves_of(132, 6, 800);
  EXPECT(waves.holds());
  EXPECT(waves.grid == 800 && waves.slots == 792);
  EXPECT(waves.full_waves == 1 && waves.tail_blocks == 8 && waves.idle_slots == 784);
  EXPECT(waves.waves() == 2);
  EXPECT(waves.offered_slots() == 1584);
  EXPECT(waves.percent() > 50.5 && waves.percent() < 50.51);
  EXPECT(waves.tail_percent() > 1.01 && waves.tail_percent() < 1.02);
  // The same of the kernel, which 40 registers allow 6 times.
  EXPECT(wg::waves_of(wg::sm_90, {256, 40}, 132, 800).tail_blocks == 8);
  EXPECT(wg::blocks_on_device(wg::sm_90, {256, 40}, 132) == 792);
  // Whole waves, and a grid smaller than a wave.
  EXPECT(wg::waves_of(132, 6, 792).percent() == 100.0);
  EXPECT(wg::waves_of(132, 6, 792).tail_percent() == 100.0);
  EXPECT(wg::waves_of(132, 6, 792).waves() == 1);
  EXPECT(wg::waves_of(132, 6, 396).full_waves == 0);
  EXPECT(wg::waves_of(132, 6, 396).percent() == 50.0);
  EXPECT(wg::best_grid_near(132, 6, 800, 10) == 792);
  EXPECT(wg::best_grid_near(132, 6, 800, 7) == 807);
  EXPECT(wg::best_grid_near(132, 6, 800, 792) == 792);
  EXPECT(wg::best_grid_near(132, 6, 1500, 100) == 1584);
  EXPECT(wg::best_grid_near(132, 6, 300, 100) == 400);
  return true;
}
static_assert(test_by_hand());

constexpr bool has_fault(wg::grid_waves const& waves, wg::grid_fault fault) {
  EXPECT(waves.fault == fault);
  EXPECT(!waves.holds());
  EXPECT(waves.grid == 0 && waves.slots == 0 && waves.full_waves == 0 && waves.tail_blocks == 0);
  EXPECT(waves.waves() == 0 && waves.offered_slots() == 0);
  EXPECT(waves.percent() == 0.0 && waves.tail_percent() == 0.0);
  return true;
}

constexpr bool test_refused() {
  EXPECT(has_fault(wg::waves_of(0, 0, 0), wg::grid_fault::sms));
  EXPECT(has_fault(wg::waves_of(-1, 6, 800), wg::grid_fault::sms));
  EXPECT(has_fault(wg::waves_of(132, 0, 0), wg::grid_fault::blocks_per_sm));
  EXPECT(has_fault(wg::waves_of(132, INT_MIN, 800), wg::grid_fault::blocks_per_sm));
  EXPECT(has_fault(wg::waves_of(wg::sm_90, {1024, 65}, 132, 800), wg::grid_fault::blocks_per_sm));
  EXPECT(has_fault(wg::waves_of(132, 6, 0), wg::grid_fault::grid));
  EXPECT(has_fault(wg::waves_of(132, 6, -max_grid - 1), wg::grid_fault::grid));
  EXPECT(wg::blocks_on_device(0, 6) == wg::impossible);
  EXPECT(wg::blocks_on_device(132, 0) == wg::impossible);
  EXPECT(wg::best_grid_near(0, 6, 800, 10) == wg::impossible);
  EXPECT(wg::best_grid_near(132, 0, 800, 10) == wg::impossible);
  EXPECT(wg::best_grid_near(132, 6, 0, 10) == wg::impossible);
  EXPECT(wg::best_grid_near(132, 6, 800, -1) == wg::impossible);
  EXPECT(!wg::split_evenly(-1, 6).holds());
  EXPECT(!wg::split_evenly(100, 0).holds());
  EXPECT(wg::split_evenly(-1, 6).count_of(0) == 0);
  return true;
}
static_assert(test_refused());

constexpr bool test_extremes() {
  // The most slots: (2^31 - 1)^2, of which two are 2^63 - 2^33 + 2, the most that leaves room for them in a grid.
  long long const slots = 1LL * INT_MAX * INT_MAX;
  EXPECT(wg::blocks_on_device(INT_MAX, INT_MAX) == slots);
  wg::grid_waves const waves = wg::waves_of(INT_MAX, INT_MAX, max_grid);
  EXPECT(waves.full_waves == 2);
  EXPECT(waves.tail_blocks == max_grid - 2 * slots);
  EXPECT(waves.offered_slots() == 3 * static_cast<unsigned long long>(slots));
  EXPECT(waves.percent() > 66.6 && waves.percent() < 66.7);
  EXPECT(wg::waves_of(1, 1, max_grid).full_waves == max_grid);
  EXPECT(wg::waves_of(1, 1, max_grid).percent() == 100.0);
  EXPECT(wg::best_grid_near(1, 1, max_grid, max_grid) == max_grid);
  EXPECT(wg::best_grid_near(INT_MAX, INT_MAX, max_grid, max_grid) == 2 * slots);
  EXPECT(wg::best_grid_near(INT_MAX, INT_MAX, max_grid, 5) == max_grid);
  EXPECT(wg::best_grid_near(INT_MAX, INT_MAX, 1, max_grid) == slots);
  EXPECT(wg::best_grid_near(INT_MAX, INT_MAX, 1, 0) == 1);
  wg::even_split const split = wg::split_evenly(max_grid, max_grid - 1);
  EXPECT(split.count_of(0) == 2);
  EXPECT(split.count_of(1) == 1);
  EXPECT(split.first_of(max_grid - 2) == max_grid - 1);
  EXPECT(split.count_of(max_grid - 1) == 0);
  EXPECT(wg::split_evenly(max_grid, 1).count_of(0) == max_grid);
  return true;
}
static_assert(test_extremes());

/// Puts the blocks of a grid into slots, one after another; when all are taken, all are freed.
struct simulated_waves {
  long long waves = 0;
  long long full = 0;
  long long in_last = 0;
};
simulated_waves simulate(int sms, int blocks_per_sm, long long grid) {
  simulated_waves result;
  std::vector<int> free_slots;
  int sm = sms;
  for (long long block = 0; block < grid; ++block) {
    if (sm == sms) {
      ++result.waves;
      result.in_last = 0;
      free_slots.assign(static_cast<std::size_t>(sms), blocks_per_sm);
      sm = 0;
    }
    ++result.in_last;
    if (--free_slots[static_cast<std::size_t>(sm)] == 0) ++sm;
    if (sm == sms) ++result.full;
  }
  return result;
}

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_refused());
  CHECK(test_extremes());
}

TEST_CASE("waves are those of a simulation") {
  for (int sms : {1, 2, 3, 7, 16, 132}) {
    for (int blocks_per_sm : {1, 2, 5, 16, 32}) {
      for (long long grid : {1, 2, 3, 4, 5, 31, 32, 33, 131, 132, 133, 660, 791, 792, 793, 4223, 4224, 4225, 10000}) {
        simulated_waves const simulated = simulate(sms, blocks_per_sm, grid);
        wg::grid_waves const waves = wg::waves_of(sms, blocks_per_sm, grid);
        CHECK(waves.waves() == simulated.waves);
        CHECK(waves.full_waves == simulated.full);
        CHECK(waves.tail_blocks == (simulated.full == simulated.waves ? 0 : simulated.in_last));
        CHECK(waves.idle_slots == simulated.waves * sms * blocks_per_sm - grid);
        CHECK(waves.offered_slots() == static_cast<unsigned long long>(simulated.waves * sms * blocks_per_sm));
      }
    }
  }
}

TEST_CASE("the best grid is that of a search over all grids") {
  for (int sms : {1, 2, 5}) {
    for (int blocks_per_sm : {1, 3, 4}) {
      for (long long wanted = 1; wanted <= 70; ++wanted) {
        for (long long within = 0; within <= 45; ++within) {
          long long best = 0;
          long long best_idle = 0;
          for (long long grid = wanted - within; grid <= wanted + within; ++grid) {
            if (grid < 1) continue;
            long long const slots = sms * blocks_per_sm;
            long long const idle = (slots - grid % slots) % slots;
            bool const is_nearer = std::llabs(grid - wanted) < std::llabs(best - wanted);
            if (best != 0 && (idle > best_idle || (idle == best_idle && !is_nearer))) continue;
            best = grid;
            best_idle = idle;
          }
          CHECK(wg::best_grid_near(sms, blocks_per_sm, wanted, within) == best);
        }
      }
    }
  }
}

TEST_CASE("a split gives every item to one block, and no block two more than another") {
  for (long long blocks = 1; blocks <= 20; ++blocks) {
    for (long long items = 0; items <= 100; ++items) {
      wg::even_split const split = wg::split_evenly(items, blocks);
      std::vector<long long> dealt(static_cast<std::size_t>(blocks));
      for (long long item = 0; item < items; ++item) ++dealt[static_cast<std::size_t>(item % blocks)];
      long long next = 0;
      for (long long block = 0; block < blocks; ++block) {
        CHECK(split.first_of(block) == next);
        CHECK(split.count_of(block) == dealt[static_cast<std::size_t>(block)]);
        next += split.count_of(block);
      }
      CHECK(next == items);
      CHECK(split.count_of(-1) == 0);
      CHECK(split.count_of(blocks) == 0);
    }
  }
}
