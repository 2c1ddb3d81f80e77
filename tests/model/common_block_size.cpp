// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares suggest_common_block_size() with a search that tries every number of threads with occupancy_of().

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/block_size.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/common_block_size.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
#include <vector>

namespace wg = warpguard;

namespace {

constexpr wg::architecture const* turing_to_hopper[] = {&wg::sm_75, &wg::sm_86, &wg::sm_90};

constexpr wg::architecture broken{};
constexpr wg::architecture const* with_broken[] = {&wg::sm_90, &broken};

constexpr bool test_by_hand() {
  // 48 registers: 7.5 holds its 32 warps, 8.6 and 9.0 hold 40. Of the largest sizes, 1024 leaves 8.6 and 9.0 with 32
  // warps (66.7 and 50 %), 640 leaves 7.5 with 20 of 32 (62.5 %) and 9.0 with 40 of 64 (62.5 %).
  constexpr wg::common_block_size best = wg::suggest_common_block_size(turing_to_hopper, {0, 48});
  EXPECT(best.threads_per_block == 640);
  EXPECT(best.worst == 0);
  EXPECT(best.warps_per_sm == 20 && best.max_warps_per_sm == 32);
  EXPECT(best.percent() == 62.5);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0, 48}, {512}).threads_per_block == 320);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0, 48}, {0, 0, 1024}).threads_per_block == 256);
  return true;
}

static_assert(test_by_hand());

constexpr bool test_without_an_answer() {
  EXPECT(wg::suggest_common_block_size({turing_to_hopper, 0}, {0}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size({turing_to_hopper, -1}, {0}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(with_broken, {0}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0, 256}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0, -1}).threads_per_block == wg::impossible);
  // 7.5 has 64 KiB.
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0, 0, 0, 65537}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0}, {-1}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0}, {20, 32}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {0}, {0, 0, 31}).threads_per_block == wg::impossible);
  EXPECT(wg::suggest_common_block_size(turing_to_hopper, {INT_MIN, 48}).threads_per_block == 640);
  return true;
}

static_assert(test_without_an_answer());

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_without_an_answer());
}

TEST_CASE("for one architecture, the size is as good as the one with the most resident threads") {
  for (wg::architecture const* row : wg::architectures) {
    for (int registers = 0; registers <= 257; registers += 3) {
      wg::kernel_resources kernel{0, registers};
      wg::common_block_size const best = wg::suggest_common_block_size({&row, 1}, kernel);
      CHECK(best.threads_per_block == wg::suggest_block_size(*row, kernel));
    }
  }
}

TEST_CASE("random architectures, kernels and limits") {
  inputs::random_source random(17);
  int possible = 0;
  for (int round = 0; round < 1500; ++round) {
    wg::kernel_resources kernel = inputs::plausible(random).kernel;
    std::vector<wg::architecture const*> archs;
    for (int more = random.between(1, 4); more > 0; --more) archs.push_back(wg::architectures[random.between(0, 30)]);
    wg::block_size_limits limits;
    if (random.between(0, 2) == 0) limits.at_most = random.between(1, 1100);
    if (random.between(0, 2) == 0) limits.multiple_of = random.between(1, 200);
    int const count = static_cast<int>(archs.size());
    wg::common_block_size const best = wg::suggest_common_block_size({archs.data(), count}, kernel, limits);

    int expected = wg::impossible;
    double expected_percent = 0;
    int largest = 1024;
    for (wg::architecture const* row : archs) largest = std::min(largest, row->max_threads_per_block);
    if (limits.at_most > 0) largest = std::min(largest, limits.at_most);
    for (int threads = 1; threads <= largest; ++threads) {
      bool const is_whole = threads % 32 == 0 || threads == largest;
      if (limits.multiple_of > 0 ? threads % limits.multiple_of != 0 : !is_whole) continue;
      kernel.threads_per_block = threads;
      double lowest = 100;
      for (wg::architecture const* row : archs) lowest = std::min(lowest, wg::occupancy_of(*row, kernel).percent());
      if (lowest > 0 && lowest >= expected_percent) {
        expected = threads;
        expected_percent = lowest;
      }
    }
    CHECK(best.threads_per_block == expected);
    CHECK(best.percent() == expected_percent);
    if (expected == wg::impossible) continue;
    ++possible;
    kernel.threads_per_block = best.threads_per_block;
    wg::occupancy const there = wg::occupancy_of(*archs[static_cast<std::size_t>(best.worst)], kernel);
    CHECK(there.warps_per_sm == best.warps_per_sm);
    CHECK(there.max_warps_per_sm == best.max_warps_per_sm);
  }
  CHECK(possible > 300);
}
