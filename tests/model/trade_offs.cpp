// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares trade_offs() with all pairs of a block size and a residency, whose limits a linear search over
/// occupancy_of() finds, and of which those are removed that another dominates.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/trade_offs.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <vector>

namespace wg = warpguard;

namespace {

/// Returns the most bytes, a multiple of 128 less than a block may have, with which `blocks` blocks are resident. The
/// units of all rows of the table are multiples of 128.
int most_bytes(wg::architecture const& row, wg::kernel_resources kernel, int blocks,
               wg::shared_memory_config const& config) {
  int const limit = config.opt_in ? row.max_shared_per_block_optin : row.max_shared_per_block_default;
  kernel.static_shared_memory = 0;
  for (kernel.dynamic_shared_memory = limit; kernel.dynamic_shared_memory >= 0; kernel.dynamic_shared_memory -= 128) {
    if (wg::occupancy_of(row, kernel, config).blocks_per_sm >= blocks) return kernel.dynamic_shared_memory;
  }
  return -1;
}

std::vector<wg::trade_off> all_trade_offs(wg::architecture const& row, wg::kernel_resources const& kernel,
                                          int max_threads, int min_blocks, wg::shared_memory_config const& config) {
  std::vector<wg::trade_off> possible;
  int const bytes = kernel.static_shared_memory + kernel.dynamic_shared_memory;
  for (int blocks = min_blocks; blocks <= row.max_blocks_per_sm; ++blocks) {
    for (int threads = 32; threads <= row.max_threads_per_block && threads <= max_threads; threads += 32) {
      wg::kernel_resources candidate = kernel;
      candidate.threads_per_block = threads;
      candidate.static_shared_memory = 0;
      candidate.dynamic_shared_memory = 0;
      int registers = row.max_registers_per_thread;
      for (; registers > 0; --registers) {
        candidate.registers_per_thread = registers;
        if (wg::occupancy_of(row, candidate, config).blocks_per_sm >= blocks) break;
      }
      if (registers < 1 || registers < kernel.registers_per_thread) continue;
      int const most = most_bytes(row, candidate, blocks, config);
      if (most < bytes) continue;
      possible.push_back({threads, blocks, blocks * threads / 32, registers, most});
    }
  }
  std::vector<wg::trade_off> best;
  for (wg::trade_off const& one : possible) {
    bool is_dominated = false;
    for (wg::trade_off const& other : possible) {
      bool const is_no_worse = other.warps_per_sm >= one.warps_per_sm &&
                               other.registers_at_most >= one.registers_at_most &&
                               other.shared_memory_at_most >= one.shared_memory_at_most;
      bool const is_equal = other.warps_per_sm == one.warps_per_sm &&
                            other.registers_at_most == one.registers_at_most &&
                            other.shared_memory_at_most == one.shared_memory_at_most;
      is_dominated = is_dominated || (is_no_worse && !is_equal);
    }
    if (!is_dominated) best.push_back(one);
  }
  return best;
}

bool is_same(wg::trade_off_list const& list, std::vector<wg::trade_off> const& expected) {
  EXPECT(list.is_complete);
  EXPECT(list.count == static_cast<int>(expected.size()));
  auto next = expected.begin();
  for (wg::trade_off const& entry : list) {
    EXPECT(entry.threads_per_block == next->threads_per_block);
    EXPECT(entry.blocks_per_sm == next->blocks_per_sm);
    EXPECT(entry.warps_per_sm == next->warps_per_sm);
    EXPECT(entry.registers_at_most == next->registers_at_most);
    EXPECT(entry.shared_memory_at_most == next->shared_memory_at_most);
    ++next;
  }
  return true;
}

constexpr bool test_by_hand() {
  // 64 registers or more, and 100000 bytes or more, leave at most 2 blocks and 32 warps. One block of 1024 threads
  // takes all registers; 2 blocks of 512 threads have as many warps and fewer bytes.
  constexpr wg::trade_off_list list = wg::trade_offs(wg::sm_90, {0, 64, 0, 100000});
  EXPECT(list.count == 7);
  EXPECT(list.is_complete);
  wg::trade_off const first = list.entries[0];
  EXPECT(first.threads_per_block == 256 && first.blocks_per_sm == 1 && first.warps_per_sm == 8);
  EXPECT(first.registers_at_most == 255 && first.shared_memory_at_most == 232448);
  wg::trade_off const last = list.entries[6];
  EXPECT(last.threads_per_block == 1024 && last.blocks_per_sm == 1 && last.warps_per_sm == 32);
  EXPECT(last.registers_at_most == 64 && last.shared_memory_at_most == 232448);
  // With two blocks at least, each has half of the 228 KiB.
  constexpr wg::trade_off_list pairs = wg::trade_offs(wg::sm_90, {0, 64, 0, 100000}, 0, 2);
  EXPECT(pairs.entries[0].blocks_per_sm == 2 && pairs.entries[0].threads_per_block == 128);
  EXPECT(pairs.entries[0].registers_at_most == 255 && pairs.entries[0].shared_memory_at_most == 115712);
  return true;
}
static_assert(test_by_hand());

constexpr bool test_dominance() {
  wg::trade_off const one{256, 2, 16, 128, 50176};
  EXPECT(!one.dominates(one));
  EXPECT((wg::trade_off{288, 2, 18, 128, 50176}).dominates(one));
  EXPECT((wg::trade_off{256, 2, 16, 129, 50176}).dominates(one));
  EXPECT((wg::trade_off{512, 1, 16, 128, 50177}).dominates(one));
  EXPECT(!(wg::trade_off{512, 1, 16, 127, 101376}).dominates(one));
  EXPECT(!(wg::trade_off{128, 4, 16, 128, 50175}).dominates(one));
  EXPECT(!(wg::trade_off{224, 2, 14, 255, 50176}).dominates(one));
  return true;
}
static_assert(test_dominance());

constexpr bool test_without_an_answer() {
  EXPECT(wg::trade_offs({}, {0}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0, 256}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0, -1}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0, 0, 0, 232449}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0, 0, 0, -1}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0, 0, INT_MAX, INT_MAX}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0, 0, 0, 0, 65}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0}, 31).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0}, -1).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0}, 0, 33).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0}, 0, INT_MAX).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0}, 0, 1, {101}).count == 0);
  EXPECT(wg::trade_offs(wg::sm_90, {0}, 0, INT_MIN).count == wg::trade_offs(wg::sm_90, {0}).count);
  return true;
}

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_dominance());
  CHECK(test_without_an_answer());
}

TEST_CASE("every architecture, with nothing known and with registers and bytes known") {
  for (wg::architecture const* row : wg::architectures) {
    for (wg::kernel_resources const& kernel : {wg::kernel_resources{0}, wg::kernel_resources{0, 40, 1000, 9000}}) {
      if (is_same(wg::trade_offs(*row, kernel), all_trade_offs(*row, kernel, 1024, 1, {}))) continue;
      FAIL("sm_", row->compute_capability, ", ", kernel.registers_per_thread, " registers");
    }
  }
}

TEST_CASE("random kernels, caching and carve-outs") {
  inputs::random_source random(31);
  for (int round = 0; round < 60; ++round) {
    inputs::model_input const input = inputs::plausible(random);
    int const max_threads = random.between(0, 1) == 0 ? 1024 : random.between(1, 1024);
    int const min_blocks = random.between(1, 4);
    wg::trade_off_list const list = wg::trade_offs(*input.row, input.kernel, max_threads, min_blocks, input.config);
    if (is_same(list, all_trade_offs(*input.row, input.kernel, max_threads, min_blocks, input.config))) continue;
    CAPTURE(input.kernel.static_shared_memory + input.kernel.dynamic_shared_memory);
    CAPTURE(input.kernel.barriers);
    CAPTURE(input.config.carveout_percent);
    CAPTURE(static_cast<int>(input.config.preference));
    CAPTURE(static_cast<int>(input.kernel.caching));
    CAPTURE(input.config.opt_in);
    FAIL("sm_", input.row->compute_capability, ", ", input.kernel.registers_per_thread, " registers");
  }
}

TEST_CASE("a list that is full says so") {
  // One register file of 2^20 registers in units of one register per thread: nearly every block size of one block per
  // SM, up to 256 warps, has another number of registers.
  wg::architecture row = wg::sm_90;
  row.max_threads_per_block = 8192;
  row.max_warps_per_sm = 1024;
  row.max_threads_per_sm = 1024 * 32;
  row.registers_per_sm = 1 << 20;
  row.max_registers_per_block = 1 << 20;
  row.max_registers_per_thread = 2047;
  row.register_allocation_unit = 32;
  row.warp_allocation_granularity = 1;
  row.sub_partitions = 1;
  REQUIRE(wg::is_valid(row));
  wg::trade_off_list const list = wg::trade_offs(row, {0});
  CHECK(list.count == wg::trade_off_list::capacity);
  CHECK(!list.is_complete);
  CHECK(wg::trade_offs(row, {0}, 256).is_complete);  // 8 sizes, 32 residencies
}
