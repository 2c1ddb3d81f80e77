// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares changes_that_reach() with a search that tries every smaller amount, bytes one by one, and every block size.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/advice.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/reaching_changes.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;

namespace {

constexpr wg::single_changes changes(int registers, int bytes, int barriers, int smaller, int larger) {
  return {registers, bytes, barriers, smaller, larger};
}
constexpr bool equal(wg::single_changes const& a, wg::single_changes const& b) {
  EXPECT(a.registers_at_most == b.registers_at_most);
  EXPECT(a.shared_memory_at_most == b.shared_memory_at_most);
  EXPECT(a.barriers_at_most == b.barriers_at_most);
  EXPECT(a.smaller_block == b.smaller_block);
  EXPECT(a.larger_block == b.larger_block);
  return true;
}

constexpr bool test_single_changes() {
  constexpr int no = wg::impossible;
  // 64 registers allow 4 blocks of 8 warps; for 5, a thread may have 48, or a block 6 warps.
  EXPECT(equal(wg::changes_that_reach(wg::sm_86, {256, 64}, {5, 0}), changes(48, no, no, 192, no)));
  // Registers and bytes each allow 4 blocks, so no change of one suffices; smaller blocks do not either.
  EXPECT(equal(wg::changes_that_reach(wg::sm_86, {256, 64, 24 * 1024}, {5, 0}), changes(no, no, no, no, no)));
  // 16 blocks of one warp are 16 warps; 16 of two are 32.
  EXPECT(equal(wg::changes_that_reach(wg::sm_75, {32}, {0, 20}), changes(no, no, no, no, 64)));
  // A kernel that cannot run: 1024 threads with 65 registers.
  EXPECT(equal(wg::changes_that_reach(wg::sm_90, {1024, 65}, {1, 0}), changes(64, no, no, 896, no)));
  EXPECT(equal(wg::changes_that_reach(wg::sm_90, {256}, {8, 64}), {}));
  EXPECT(equal(wg::changes_that_reach(wg::sm_90, {-1}, {8, 64}), {}));
  EXPECT(equal(wg::changes_that_reach({}, {256}, {8, 64}), {}));
  return true;
}
static_assert(test_single_changes());

/// Whether each change alone reaches the goal, no nearer one does, and `impossible` means that none does.
bool are_changes(wg::architecture const& row, wg::kernel_resources const& kernel, wg::residency_goal goal,
                 wg::shared_memory_config const& config) {
  auto const reaches = [&](wg::kernel_resources const& changed) {
    wg::occupancy const now = wg::occupancy_of(row, changed, config);
    int const warps = (changed.threads_per_block + 31) / 32;
    return now.blocks_per_sm >= goal.blocks && now.blocks_per_sm * warps >= goal.warps;
  };
  wg::single_changes const found = wg::changes_that_reach(row, kernel, goal, config);
  wg::single_changes expected;
  if (!reaches(kernel)) {
    wg::kernel_resources changed = kernel;
    for (int registers = 1; registers < kernel.registers_per_thread; ++registers) {
      changed.registers_per_thread = registers;
      if (registers <= row.max_registers_per_thread && reaches(changed)) expected.registers_at_most = registers;
    }
    changed = kernel;
    changed.static_shared_memory = 0;
    for (int bytes = 0; bytes < kernel.static_shared_memory + kernel.dynamic_shared_memory; ++bytes) {
      changed.dynamic_shared_memory = bytes;
      if (reaches(changed)) expected.shared_memory_at_most = bytes;
    }
    changed = kernel;
    for (int barriers = 0; barriers < kernel.barriers && barriers <= 16; ++barriers) {
      changed.barriers = barriers;
      if (reaches(changed)) expected.barriers_at_most = barriers;
    }
    changed = kernel;
    for (int threads = 32; threads <= row.max_threads_per_block; threads += 32) {
      changed.threads_per_block = threads;
      if (!reaches(changed)) continue;
      if (threads < kernel.threads_per_block) expected.smaller_block = threads;
      if (threads > kernel.threads_per_block && expected.larger_block == wg::impossible)
        expected.larger_block = threads;
    }
  }
  return equal(found, expected);
}

}  // namespace

TEST_CASE("worked examples") { CHECK(test_single_changes()); }

TEST_CASE("random kernels: each change alone reaches the goal") {
  inputs::random_source random(41);
  int changed = 0;
  for (int round = 0; round < 1000; ++round) {
    inputs::model_input input = inputs::plausible(random);
    input.kernel.threads_per_block = random.between(1, 32) * 32;
    wg::residency_goal const goal = random.between(0, 1) == 0 ? wg::residency_goal{random.between(1, 16), 0}
                                                              : wg::residency_goal{0, random.between(1, 64)};
    wg::kernel_resources const& k = input.kernel;
    bool const is_right = are_changes(*input.row, k, goal, input.config);
    if (!is_right) {
      CAPTURE(goal.blocks);
      CAPTURE(goal.warps);
      CAPTURE(k.static_shared_memory + k.dynamic_shared_memory);
      CAPTURE(input.config.carveout_percent);
      CAPTURE(static_cast<int>(input.config.preference));
      FAIL("sm_", input.row->compute_capability, ", ", k.threads_per_block, " threads, ", k.registers_per_thread);
    }
    changed += wg::changes_that_reach(*input.row, k, goal, input.config).registers_at_most != wg::impossible ? 1 : 0;
  }
  CHECK(changed > 50);
}
