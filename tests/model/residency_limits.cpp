// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests that blocks at the limits of a residency have it, and that one unit more of any resource costs a block.

#include "../check.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/residency_limits.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <climits>

namespace wg = warpguard;

namespace {

constexpr bool equal(wg::residency_limits const& limits, int blocks, int warps, int registers, int bytes,
                     int barriers) {
  EXPECT(limits.exist());
  EXPECT(limits.blocks_per_sm == blocks);
  EXPECT(limits.warps_per_sm == warps);
  EXPECT(limits.registers_at_most == registers);
  EXPECT(limits.shared_memory_at_most == bytes);
  EXPECT(limits.barriers_at_most == barriers);
  return true;
}

constexpr wg::architecture const* ampere_and_hopper[] = {&wg::sm_86, &wg::sm_90};

constexpr bool test_by_hand() {
  // 48 warps of 8.6 hold 6 blocks of 8. Two blocks are 4 warps in each register file: 16384 / 4 / 32 = 128 registers;
  // 102400 / 2 - 1024 bytes.
  EXPECT(wg::max_blocks_of(wg::sm_86, 256) == 6);
  EXPECT(equal(wg::limits_for(wg::sm_86, 256, 1), 1, 8, 255, 101376, 16));
  EXPECT(equal(wg::limits_for(wg::sm_86, 256, 2), 2, 16, 128, 50176, 16));
  EXPECT(!wg::limits_for(wg::sm_86, 256, 7).exist());
  // 17 blocks share 64 barriers; 233472 / 17 = 13733, rounded down to 13696, of which the driver takes 1024.
  EXPECT(equal(wg::limits_for(wg::sm_90, 64, 17), 17, 34, 56, 12672, 3));
  // On both GPUs: the registers of either, the bytes of 8.6.
  EXPECT(equal(wg::limits_for(ampere_and_hopper, 256, 2), 2, 16, 128, 50176, 16));
  EXPECT(wg::limits_for(ampere_and_hopper, 256, 6).exist());
  EXPECT(!wg::limits_for(ampere_and_hopper, 256, 7).exist());
  // Without opting in to more, a block has 48 KiB.
  EXPECT(wg::limits_for(wg::sm_90, 256, 1, {-1, wg::cache_preference::none, false}).shared_memory_at_most == 49152);
  return true;
}
static_assert(test_by_hand());

constexpr bool test_without_an_answer() {
  EXPECT(!wg::limits_for(wg::sm_90, 256, 0).exist());
  EXPECT(!wg::limits_for(wg::sm_90, 256, -1).exist());
  EXPECT(!wg::limits_for(wg::sm_90, 0, 1).exist());
  EXPECT(!wg::limits_for(wg::sm_90, INT_MAX, 1).exist());
  EXPECT(!wg::limits_for(wg::sm_90, 256, INT_MAX).exist());
  EXPECT(!wg::limits_for(wg::architecture{}, 256, 1).exist());
  EXPECT(!wg::limits_for(wg::sm_90, 256, 1, {101}).exist());
  EXPECT(!wg::limits_for({ampere_and_hopper, 0}, 256, 1).exist());
  EXPECT(!wg::limits_for(ampere_and_hopper, 256, 1, {101}).exist());
  EXPECT(wg::max_blocks_of(wg::sm_90, 0) == 0);
  EXPECT(wg::max_blocks_of(wg::sm_90, 1025) == 0);
  EXPECT(wg::max_blocks_of({}, 256) == 0);
  return true;
}
static_assert(test_without_an_answer());

bool are_limits(wg::architecture const& row, int threads, int blocks) {
  wg::residency_limits const limits = wg::limits_for(row, threads, blocks);
  EXPECT(limits.exist());
  EXPECT(limits.blocks_per_sm == blocks);
  EXPECT(limits.warps_per_sm == blocks * ((threads + 31) / 32));
  wg::kernel_resources const at{threads, limits.registers_at_most, 0, limits.shared_memory_at_most,
                                limits.barriers_at_most};
  EXPECT(wg::occupancy_of(row, at).blocks_per_sm >= blocks);
  wg::kernel_resources more = at;
  ++more.registers_per_thread;
  EXPECT(wg::occupancy_of(row, more).blocks_per_sm < blocks);
  more = at;
  ++more.dynamic_shared_memory;
  EXPECT(wg::occupancy_of(row, more).blocks_per_sm < blocks);
  more = at;
  ++more.barriers;
  if (at.barriers < 16) EXPECT(wg::occupancy_of(row, more).blocks_per_sm < blocks);
  // Less of everything is no worse.
  for (int part = 1; part < 4; ++part) {
    wg::kernel_resources const less{threads, std::max(at.registers_per_thread * part / 4, 1), 0,
                                    at.dynamic_shared_memory * part / 4, at.barriers * part / 4};
    EXPECT(wg::occupancy_of(row, less).blocks_per_sm >= blocks);
  }
  return true;
}

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_without_an_answer());
}

TEST_CASE("the limits of every residency on every architecture") {
  for (wg::architecture const* row : wg::architectures) {
    for (int threads : {1, 32, 33, 64, 96, 128, 160, 256, 320, 512, 1000, 1024}) {
      int const most = wg::max_blocks_of(*row, threads);
      CHECK(most == wg::occupancy_of(*row, {threads, 1, 0, 0, 0}).blocks_per_sm);
      CHECK(!wg::limits_for(*row, threads, most + 1).exist());
      for (int blocks = 1; blocks <= most; ++blocks) {
        if (are_limits(*row, threads, blocks)) continue;
        FAIL("sm_", row->compute_capability, ", ", threads, " threads, ", blocks, " blocks");
      }
    }
  }
}

TEST_CASE("the limits on several architectures are the strictest") {
  for (int threads : {64, 256, 768}) {
    for (int blocks = 1; blocks <= 33; ++blocks) {
      wg::residency_limits const common = wg::limits_for(wg::architectures, threads, blocks);
      bool exist = true;
      wg::residency_limits strictest{blocks, 0, INT_MAX, INT_MAX, INT_MAX};
      for (wg::architecture const* row : wg::architectures) {
        wg::residency_limits const limits = wg::limits_for(*row, threads, blocks);
        exist = exist && limits.exist();
        strictest.registers_at_most = std::min(strictest.registers_at_most, limits.registers_at_most);
        strictest.shared_memory_at_most = std::min(strictest.shared_memory_at_most, limits.shared_memory_at_most);
        strictest.barriers_at_most = std::min(strictest.barriers_at_most, limits.barriers_at_most);
      }
      CHECK(common.exist() == exist);
      if (!exist) continue;
      CHECK(common.registers_at_most == strictest.registers_at_most);
      CHECK(common.shared_memory_at_most == strictest.shared_memory_at_most);
      CHECK(common.barriers_at_most == strictest.barriers_at_most);
    }
  }
}
