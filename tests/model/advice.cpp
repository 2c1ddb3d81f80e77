// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests that a kernel which follows the advice reaches the goal, and misses it with one unit more. A grid of kernels
/// and goals covers every architecture.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/advice.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;

namespace {

constexpr bool reaches(wg::architecture const& row, wg::kernel_resources const& kernel, wg::residency_goal goal) {
  wg::occupancy const now = wg::occupancy_of(row, kernel);
  return now.blocks_per_sm >= 1 && now.blocks_per_sm >= goal.blocks && now.warps_per_sm >= goal.warps;
}

constexpr wg::kernel_resources with_advice(wg::kernel_resources kernel, wg::advice const& advice) {
  if (advice.threads_per_block != wg::impossible) kernel.threads_per_block = advice.threads_per_block;
  if (advice.registers_at_most != wg::impossible) kernel.registers_per_thread = advice.registers_at_most;
  if (advice.barriers_at_most != wg::impossible) kernel.barriers = advice.barriers_at_most;
  if (advice.shared_memory_at_most != wg::impossible) {
    kernel.static_shared_memory = 0;
    kernel.dynamic_shared_memory = advice.shared_memory_at_most;
  }
  return kernel;
}

constexpr bool is_none(wg::advice const& advice) {
  EXPECT(advice.registers_at_most == wg::impossible);
  EXPECT(advice.shared_memory_at_most == wg::impossible);
  EXPECT(advice.barriers_at_most == wg::impossible);
  EXPECT(advice.threads_per_block == wg::impossible);
  EXPECT(advice.blocks_at_most == wg::impossible);
  return true;
}

/// Returns the nearest smaller block size in whole warps that reaches the goal, otherwise the nearest larger one or 0.
constexpr int nearest_block(wg::architecture const& row, wg::kernel_resources kernel, wg::residency_goal goal) {
  int const warps = (kernel.threads_per_block + row.warp_size - 1) / row.warp_size;
  int above = 0;
  int below = 0;
  for (int other = 1; other <= row.max_threads_per_block / row.warp_size; ++other) {
    kernel.threads_per_block = other * row.warp_size;
    if (other == warps || !reaches(row, kernel, goal)) continue;
    if (other < warps) below = other;
    if (other > warps && above == 0) above = other;
  }
  return (below != 0 ? below : above) * row.warp_size;
}

/// Whether the advice is given only if needed, suffices to reach the goal, and asks for no smaller amount than needed.
constexpr bool is_good(wg::architecture const& row, wg::kernel_resources const& kernel, wg::residency_goal goal) {
  wg::advice const advice = wg::what_fits(row, kernel, goal);
  if (wg::occupancy_of(row, kernel).blocks_per_sm == 0 || reaches(row, kernel, goal)) return is_none(advice);

  if (advice.blocks_at_most != wg::impossible) {
    // The last resort: no amount of resources and no block size reaches the goal, not even without any resources.
    wg::kernel_resources const bare{kernel.threads_per_block};
    EXPECT(advice.blocks_at_most == wg::occupancy_of(row, kernel).blocks_per_sm);
    EXPECT(!reaches(row, bare, goal));
    EXPECT(nearest_block(row, kernel, goal) == 0);
    EXPECT(nearest_block(row, bare, goal) == 0);
    return true;
  }

  wg::kernel_resources const better = with_advice(kernel, advice);
  EXPECT(reaches(row, better, goal));
  if (advice.threads_per_block != wg::impossible) {
    int const sufficient = nearest_block(row, kernel, goal);
    EXPECT(advice.threads_per_block ==
           (sufficient != 0 ? sufficient : nearest_block(row, {kernel.threads_per_block}, goal)));
    // A block size that suffices is the only advice.
    if (sufficient != 0) {
      EXPECT(advice.registers_at_most == wg::impossible);
      EXPECT(advice.barriers_at_most == wg::impossible);
      EXPECT(advice.shared_memory_at_most == wg::impossible);
    }
    // At the old block size, the goal is missed even without any resources.
    EXPECT(!reaches(row, {kernel.threads_per_block, 0, 0, 0, 0}, goal));
  }

  wg::kernel_resources more = better;
  if (advice.registers_at_most != wg::impossible) {
    more.registers_per_thread = advice.registers_at_most + 1;
    EXPECT(kernel.registers_per_thread >= more.registers_per_thread);
    EXPECT(!reaches(row, more, goal));
  }
  more = better;
  if (advice.shared_memory_at_most != wg::impossible) {
    more.dynamic_shared_memory = advice.shared_memory_at_most + 1;
    EXPECT(kernel.static_shared_memory + kernel.dynamic_shared_memory >= more.dynamic_shared_memory);
    EXPECT(!reaches(row, more, goal));
  }
  more = better;
  if (advice.barriers_at_most != wg::impossible) {
    more.barriers = advice.barriers_at_most + 1;
    EXPECT(kernel.barriers >= more.barriers);
    EXPECT(!reaches(row, more, goal));
  }
  return true;
}

constexpr wg::advice advice(int registers, int bytes, int barriers, int threads, int blocks) {
  return {registers, bytes, barriers, threads, blocks};
}
constexpr bool equal(wg::advice const& a, wg::advice const& b) {
  EXPECT(a.registers_at_most == b.registers_at_most);
  EXPECT(a.shared_memory_at_most == b.shared_memory_at_most);
  EXPECT(a.barriers_at_most == b.barriers_at_most);
  EXPECT(a.threads_per_block == b.threads_per_block);
  EXPECT(a.blocks_at_most == b.blocks_at_most);
  return true;
}

constexpr bool test_by_hand() {
  constexpr int no = wg::impossible;
  // 3 blocks share 100 KiB: 34133 bytes each, minus the reserve of 1 KiB, rounded down to 128.
  EXPECT(equal(wg::what_fits(wg::sm_86, {256, 0, 0, 40 * 1024}, {3, 0}), advice(no, 33024, no, no, no)));
  // 40 warps share 4 sub-partitions of 16384 registers: 1638 per warp, rounded down to 256: 1536.
  EXPECT(equal(wg::what_fits(wg::sm_86, {256, 64}, {5, 0}), advice(48, no, no, no, no)));
  EXPECT(equal(wg::what_fits(wg::sm_86, {256, 64, 24 * 1024}, {5, 0}), advice(48, 19456, no, no, no)));
  // 9 blocks share 64 barriers; on 8.0 barriers do not limit.
  EXPECT(equal(wg::what_fits(wg::sm_90, {128, 0, 0, 0, 8}, {9, 0}), advice(no, no, 7, no, no)));
  EXPECT(equal(wg::what_fits(wg::sm_80, {128, 0, 0, 0, 8}, {9, 0}), advice(no, no, no, no, no)));
  // 16 blocks of one warp are 16 warps; 10 blocks of two warps are 20.
  EXPECT(equal(wg::what_fits(wg::sm_75, {32}, {0, 20}), advice(no, no, no, 64, no)));
  // 32 warps hold 3 blocks of 10 warps.
  EXPECT(equal(wg::what_fits(wg::sm_75, {512}, {3, 0}), advice(no, no, no, 320, no)));
  // 7.5 has 16 block slots.
  EXPECT(equal(wg::what_fits(wg::sm_75, {32}, {17, 0}), advice(no, no, no, no, 16)));
  // There is no advice if the goal is reached, if there is no goal, or if no block can run.
  EXPECT(is_none(wg::what_fits(wg::sm_90, {256}, {8, 64})));
  EXPECT(is_none(wg::what_fits(wg::sm_90, {256}, {0, 0})));
  EXPECT(is_none(wg::what_fits(wg::sm_90, {2048}, {1, 0})));
  EXPECT(is_none(wg::what_fits(wg::sm_90, {0}, {1, 0})));
  return true;
}
static_assert(test_by_hand());

constexpr bool test_configured() {
  constexpr int no = wg::impossible;
  // With half of the 100 KiB, which is the carve-out of 64 KiB, 3 blocks have 21845 bytes each.
  EXPECT(equal(wg::what_fits(wg::sm_86, {256, 0, 0, 40 * 1024}, {3, 0}, {50}), advice(no, 20736, no, no, no)));
  // With L1 preferred on 3.5, blocks share 16 KiB: 4 of them have 4096 bytes each. 17 KiB would get 48 KiB.
  wg::shared_memory_config const l1{-1, wg::cache_preference::l1};
  EXPECT(equal(wg::what_fits(wg::sm_35, {256, 0, 8 * 1024}, {4, 0}, l1), advice(no, 4096, no, no, no)));
  // Partitioned caching: half an SM of 5.2 holds 2 blocks of 4 warps with 85 registers. With 80 it holds 12 warps.
  wg::kernel_resources halved{128, 85};
  halved.caching = wg::partitioned_caching::on;
  EXPECT(equal(wg::what_fits(wg::sm_52, halved, {5, 0}), advice(80, no, no, no, no)));
  // Virtual resources: 100 of 128 allow one block, of which 32 warps are needed.
  wg::kernel_resources heavy{256};
  heavy.virtual_resources = 100;
  EXPECT(equal(wg::what_fits(wg::sm_100, heavy, {0, 32}), advice(no, no, no, 1024, no)));
  EXPECT(equal(wg::what_fits(wg::sm_100, heavy, {2, 0}), advice(no, no, no, no, 1)));
  return true;
}
static_assert(test_configured());

constexpr bool test_a_goal_in_blocks() {
  EXPECT(wg::residency_goal{3, 0}.blocks_of(8) == 3);
  EXPECT(wg::residency_goal{0, 40}.blocks_of(10) == 4);
  EXPECT(wg::residency_goal{0, 41}.blocks_of(10) == 5);
  EXPECT(wg::residency_goal{2, 41}.blocks_of(10) == 5);
  EXPECT(wg::residency_goal{6, 41}.blocks_of(10) == 6);
  EXPECT(wg::residency_goal{0, 0}.blocks_of(10) == 0);
  return true;
}
static_assert(test_a_goal_in_blocks());

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_configured());
  CHECK(test_a_goal_in_blocks());
}

TEST_CASE("a kernel that follows the advice reaches the goal, and misses it with one unit more") {
  constexpr int threads[] = {1, 32, 33, 96, 256, 320, 512, 1000, 1024};
  constexpr int registers[] = {0, 21, 37, 64, 128, 255};
  constexpr int bytes[] = {0, 1, 8 * 1024, 24 * 1024 + 1, 48 * 1024, 200 * 1024};
  constexpr int barriers[] = {0, 1, 7, 16};
  constexpr wg::residency_goal goals[] = {{1, 0},  {2, 0},  {3, 0},  {5, 0},  {8, 0},  {16, 0}, {17, 0}, {32, 0},
                                          {33, 0}, {0, 12}, {0, 24}, {0, 33}, {0, 41}, {0, 64}, {0, 65}, {9, 20}};
  long long compared = 0;
  for (wg::architecture const* row : wg::architectures) {
    for (int t : threads) {
      for (int r : registers) {
        for (int b : bytes) {
          for (int n : barriers) {
            wg::kernel_resources const kernel{t, r, b / 3, b - b / 3, n};
            for (wg::residency_goal goal : goals) {
              ++compared;
              if (is_good(*row, kernel, goal)) continue;
              CAPTURE(row->compute_capability);
              CAPTURE(t);
              CAPTURE(r);
              CAPTURE(b);
              CAPTURE(n);
              CAPTURE(goal.blocks);
              CAPTURE(goal.warps);
              FAIL("bad advice");
            }
          }
        }
      }
    }
  }
  CHECK(compared > 500000);
}

TEST_CASE("random kernels, caching, carve-outs and preferences: the joint changes reach the goal") {
  inputs::random_source random(43);
  int advised = 0;
  for (int round = 0; round < 20000; ++round) {
    inputs::model_input const input = inputs::plausible(random);
    wg::residency_goal const goal = random.between(0, 1) == 0 ? wg::residency_goal{random.between(1, 16), 0}
                                                              : wg::residency_goal{0, random.between(1, 64)};
    wg::occupancy const now = wg::occupancy_of(*input.row, input.kernel, input.config);
    wg::advice const advice = wg::what_fits(*input.row, input.kernel, goal, input.config);
    if (now.blocks_per_sm == 0 || advice.blocks_at_most != wg::impossible) continue;
    wg::occupancy const then = wg::occupancy_of(*input.row, with_advice(input.kernel, advice), input.config);
    bool const is_reached = then.blocks_per_sm >= goal.blocks && then.warps_per_sm >= goal.warps;
    if (!is_reached) {
      FAIL("sm_", input.row->compute_capability, ", ", input.kernel.threads_per_block, " threads, ",
           input.kernel.registers_per_thread, " registers, goal ", goal.blocks, " ", goal.warps);
    }
    advised += now.blocks_per_sm < goal.blocks || now.warps_per_sm < goal.warps ? 1 : 0;
  }
  CHECK(advised > 1000);
}
