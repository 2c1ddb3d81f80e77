// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares residencies_between() with occupancy_of() for every number of threads.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/residency_range.hpp>

#include <doctest/doctest.h>

#include <climits>

namespace wg = warpguard;

namespace {

constexpr bool is(wg::sized_residency const& residency, int threads, int blocks, int warps) {
  EXPECT(residency.threads_per_block == threads);
  EXPECT(residency.blocks_per_sm == blocks);
  EXPECT(residency.warps_per_sm == warps);
  return true;
}

constexpr bool test_by_hand() {
  // 8.6 holds 16 blocks and 48 warps: blocks of 2 warps are 16, of 3 warps too, and these are 48 warps. Blocks of 25 to
  // 32 warps are alone; the fewest warps have those of 25.
  constexpr wg::residency_range range = wg::residencies_between(wg::sm_86, {0}, 64, 1024);
  EXPECT(range.exists());
  EXPECT(is(range.most_blocks, 64, 16, 32));
  EXPECT(is(range.fewest_blocks, 769, 1, 25));
  EXPECT(is(range.most_warps, 65, 16, 48));
  EXPECT(is(range.fewest_warps, 769, 1, 25));
  // A size that cannot run: 1024 threads with 65 registers. A block may have 28 warps with 72.
  EXPECT(is(wg::residencies_between(wg::sm_90, {0, 65}, 1, 1024).fewest_blocks, 897, 0, 0));
  // One size.
  EXPECT(is(wg::residencies_between(wg::sm_90, {0, 40}, 100, 100).fewest_warps, 100, 12, 48));
  return true;
}
static_assert(test_by_hand());

constexpr bool test_without_an_answer() {
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, 0, 256).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, -1, 256).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, 257, 256).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, 1, 1025).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, INT_MAX, INT_MAX).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, 1, INT_MAX).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0, -1}, 1, 256).exists());
  EXPECT(!wg::residencies_between(wg::sm_90, {0}, 1, 256, {101}).exists());
  EXPECT(!wg::residencies_between({}, {0}, 1, 256).exists());
  return true;
}
static_assert(test_without_an_answer());

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_without_an_answer());
}

TEST_CASE("random kernels and ranges") {
  inputs::random_source random(5);
  for (int round = 0; round < 3000; ++round) {
    inputs::model_input const input = inputs::plausible(random);
    int const most = random.between(1, input.row->max_threads_per_block);
    int const least = random.between(1, most);
    wg::kernel_resources kernel = input.kernel;
    wg::occupancy fewest_blocks{};
    wg::occupancy most_blocks{};
    wg::occupancy fewest_warps{};
    wg::occupancy most_warps{};
    int threads[4] = {};
    for (int next = least; next <= most; ++next) {
      kernel.threads_per_block = next;
      wg::occupancy const now = wg::occupancy_of(*input.row, kernel, input.config);
      auto const keep = [&](wg::occupancy& kept, int& at, bool is_better) {
        if (next != least && !is_better) return;
        kept = now;
        at = next;
      };
      keep(fewest_blocks, threads[0], now.blocks_per_sm < fewest_blocks.blocks_per_sm);
      keep(most_blocks, threads[1], now.blocks_per_sm > most_blocks.blocks_per_sm);
      keep(fewest_warps, threads[2], now.warps_per_sm < fewest_warps.warps_per_sm);
      keep(most_warps, threads[3], now.warps_per_sm > most_warps.warps_per_sm);
    }
    wg::residency_range const range = wg::residencies_between(*input.row, input.kernel, least, most, input.config);
    bool const is_right =
        is(range.fewest_blocks, threads[0], fewest_blocks.blocks_per_sm, fewest_blocks.warps_per_sm) &&
        is(range.most_blocks, threads[1], most_blocks.blocks_per_sm, most_blocks.warps_per_sm) &&
        is(range.fewest_warps, threads[2], fewest_warps.blocks_per_sm, fewest_warps.warps_per_sm) &&
        is(range.most_warps, threads[3], most_warps.blocks_per_sm, most_warps.warps_per_sm);
    if (!is_right) FAIL("sm_", input.row->compute_capability, ", ", least, " to ", most, " threads");
  }
}
