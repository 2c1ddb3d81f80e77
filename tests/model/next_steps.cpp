// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares next_steps(), and the search of single_change.hpp that it uses, with a search that tries every amount with
/// occupancy_of(), bytes one by one too.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/next_steps.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <climits>

namespace wg = warpguard;

namespace {

using setter = void (*)(wg::kernel_resources&, int);

void set_registers(wg::kernel_resources& kernel, int amount) { kernel.registers_per_thread = amount; }
void set_barriers(wg::kernel_resources& kernel, int amount) { kernel.barriers = amount; }
void set_threads(wg::kernel_resources& kernel, int amount) { kernel.threads_per_block = amount; }
void set_bytes(wg::kernel_resources& kernel, int amount) {
  kernel.static_shared_memory = 0;
  kernel.dynamic_shared_memory = amount;
}

struct question {
  wg::architecture const& arch;
  wg::kernel_resources kernel;
  wg::shared_memory_config config;

  wg::occupancy with(setter set, int amount) const {
    wg::kernel_resources changed = kernel;
    set(changed, amount);
    return wg::occupancy_of(arch, changed, config);
  }
};

/// Tries amounts from `from` on, by `step` at a time, until `is_wanted(blocks)` or until `last` is passed.
template <class Wanted>
int first_amount(question const& asked, setter set, int from, int last, int step, Wanted is_wanted) {
  for (int amount = from; step > 0 ? amount <= last : amount >= last; amount += step) {
    if (is_wanted(asked.with(set, amount))) return amount;
  }
  return wg::impossible;
}

bool is_step(question const& asked, setter set, wg::residency_step const& step, int amount) {
  EXPECT(step.amount == amount);
  EXPECT(step.exists() == (amount != wg::impossible));
  if (amount == wg::impossible) return true;
  EXPECT(step.blocks_per_sm == asked.with(set, amount).blocks_per_sm);
  EXPECT(step.warps_per_sm == asked.with(set, amount).warps_per_sm);
  return true;
}

/// `least` to `most` are the amounts that a block may have, in multiples of `unit`.
bool are_nearest(question const& asked, setter set, wg::resource_steps const& steps, int now, int least, int most,
                 int unit) {
  EXPECT(steps.now == now);
  int const blocks = wg::occupancy_of(asked.arch, asked.kernel, asked.config).blocks_per_sm;
  auto const is_more = [blocks](wg::occupancy const& other) { return other.blocks_per_sm > blocks; };
  auto const is_fewer = [blocks](wg::occupancy const& other) { return other.blocks_per_sm < blocks; };
  int const below = (now > most ? most : now - 1) / unit * unit;
  int const above = (now / unit + 1) * unit;
  EXPECT(is_step(asked, set, steps.more_blocks, first_amount(asked, set, below, least, -unit, is_more)));
  EXPECT(is_step(asked, set, steps.fewer_blocks, first_amount(asked, set, above, most, unit, is_fewer)));
  if (blocks == 0) {
    EXPECT(steps.headroom == 0);
    return true;
  }
  EXPECT(asked.with(set, now + steps.headroom).blocks_per_sm == blocks);
  if (now + steps.headroom < most) EXPECT(asked.with(set, now + steps.headroom + 1).blocks_per_sm < blocks);
  return true;
}

bool are_right(question const& asked) {
  wg::architecture const& arch = asked.arch;
  wg::kernel_resources const& kernel = asked.kernel;
  wg::residency_steps const steps = wg::next_steps(arch, kernel, asked.config);
  EXPECT(are_nearest(asked, set_registers, steps.registers_per_thread, kernel.registers_per_thread, 1,
                     arch.max_registers_per_thread, 1));
  int const bytes = asked.config.opt_in ? arch.max_shared_per_block_optin : arch.max_shared_per_block_default;
  EXPECT(are_nearest(asked, set_bytes, steps.shared_memory, kernel.static_shared_memory + kernel.dynamic_shared_memory,
                     0, bytes, 1));
  EXPECT(are_nearest(asked, set_barriers, steps.barriers, kernel.barriers, 0, 16, 1));
  EXPECT(are_nearest(asked, set_threads, steps.threads_per_block, kernel.threads_per_block, arch.warp_size,
                     arch.max_threads_per_block, arch.warp_size));

  int const warps = wg::occupancy_of(arch, kernel, asked.config).warps_per_sm;
  auto const has_more = [warps](wg::occupancy const& other) { return other.warps_per_sm > warps; };
  int const size = (kernel.threads_per_block + 31) / 32 * 32;
  EXPECT(is_step(asked, set_threads, steps.more_warps_in_smaller_blocks,
                 first_amount(asked, set_threads, size - 32, 32, -32, has_more)));
  EXPECT(is_step(asked, set_threads, steps.more_warps_in_larger_blocks,
                 first_amount(asked, set_threads, size + 32, arch.max_threads_per_block, 32, has_more)));
  return true;
}

bool has_no_step(wg::residency_steps const& steps) {
  for (wg::resource_steps const& resource :
       {steps.registers_per_thread, steps.shared_memory, steps.barriers, steps.threads_per_block}) {
    EXPECT(!resource.more_blocks.exists());
    EXPECT(!resource.fewer_blocks.exists());
    EXPECT(resource.headroom == 0);
  }
  EXPECT(!steps.more_warps_in_smaller_blocks.exists());
  EXPECT(!steps.more_warps_in_larger_blocks.exists());
  return true;
}

constexpr bool test_by_hand() {
  // 43 registers are allocated as 48: 10 warps in each of 4 files of 16384, 40 warps, 5 blocks. 40 registers: 12 warps,
  // 48 on the SM, 6 blocks. 49 registers are allocated as 56: 9 warps, 36, 4 blocks.
  constexpr wg::residency_steps steps = wg::next_steps(wg::sm_86, {256, 43, 16000});
  EXPECT(steps.registers_per_thread.now == 43);
  EXPECT(steps.registers_per_thread.more_blocks.amount == 40);
  EXPECT(steps.registers_per_thread.more_blocks.blocks_per_sm == 6);
  EXPECT(steps.registers_per_thread.headroom == 5);
  EXPECT(steps.registers_per_thread.fewer_blocks.amount == 49);
  EXPECT(steps.registers_per_thread.fewer_blocks.blocks_per_sm == 4);
  // 5 blocks share 102400 bytes, 20480 each, of which the driver takes 1024.
  EXPECT(steps.shared_memory.now == 16000);
  EXPECT(steps.shared_memory.headroom == 20480 - 1024 - 16000);
  EXPECT(steps.shared_memory.fewer_blocks.amount == 19457);
  EXPECT(steps.shared_memory.fewer_blocks.blocks_per_sm == 4);
  EXPECT(!steps.shared_memory.more_blocks.exists());
  // Barriers do not limit on 8.6.
  EXPECT(!steps.barriers.more_blocks.exists());
  EXPECT(!steps.barriers.fewer_blocks.exists());
  EXPECT(steps.barriers.headroom == 15);
  // 40 warps: 5 blocks of 8 warps, 5 too of 7 warps, 6 of 6 warps; 4 of 9 warps.
  EXPECT(steps.threads_per_block.more_blocks.amount == 192);
  EXPECT(steps.threads_per_block.more_blocks.warps_per_sm == 36);
  EXPECT(steps.threads_per_block.fewer_blocks.amount == 288);
  EXPECT(steps.threads_per_block.headroom == 0);
  return true;
}
static_assert(test_by_hand());

constexpr bool test_a_kernel_that_cannot_run() {
  // 1024 threads with 65 registers need more than the register file; with 64 they have it.
  constexpr wg::residency_steps steps = wg::next_steps(wg::sm_90, {1024, 65});
  EXPECT(steps.registers_per_thread.more_blocks.amount == 64);
  EXPECT(steps.registers_per_thread.more_blocks.blocks_per_sm == 1);
  EXPECT(steps.registers_per_thread.headroom == 0);
  EXPECT(!steps.registers_per_thread.fewer_blocks.exists());
  EXPECT(!steps.shared_memory.more_blocks.exists());
  EXPECT(steps.threads_per_block.more_blocks.amount == 896);
  // More registers than a thread may have, more bytes than a block may have, more threads than a block may have.
  EXPECT(wg::next_steps(wg::sm_90, {32, 300}).registers_per_thread.more_blocks.amount == 255);
  EXPECT(wg::next_steps(wg::sm_90, {32, 0, 0, 300000}).shared_memory.more_blocks.amount == 232448);
  EXPECT(wg::next_steps(wg::sm_90, {5000}).threads_per_block.more_blocks.amount == 1024);
  return true;
}
static_assert(test_a_kernel_that_cannot_run());

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_a_kernel_that_cannot_run());
}

TEST_CASE("questions without an answer") {
  CHECK(has_no_step(wg::next_steps({}, {256})));
  CHECK(has_no_step(wg::next_steps(wg::sm_90, {0})));
  CHECK(has_no_step(wg::next_steps(wg::sm_90, {-1})));
  CHECK(has_no_step(wg::next_steps(wg::sm_90, {256, -1})));
  CHECK(has_no_step(wg::next_steps(wg::sm_90, {256, 0, -1})));
  CHECK(has_no_step(wg::next_steps(wg::sm_90, {256, 0, 0, 0, -1})));
  CHECK(has_no_step(wg::next_steps(wg::sm_90, {256}, {101})));
  wg::architecture broken = wg::sm_90;
  broken.registers_per_sm = -1;
  CHECK(has_no_step(wg::next_steps(broken, {256})));
}

TEST_CASE("every step is the nearest one") {
  constexpr int threads[] = {100, 256, 1024};
  constexpr int registers[] = {0, 43, 128};
  constexpr int bytes[] = {3001, 48 * 1024};
  constexpr int barriers[] = {1, 9};
  for (wg::architecture const* row : wg::architectures) {
    for (int t : threads) {
      for (int r : registers) {
        for (int b : bytes) {
          for (int n : barriers) {
            question const asked{*row, {t, r, b / 3, b - b / 3, n}, {}};
            if (are_right(asked)) continue;
            FAIL("sm_", row->compute_capability, ", ", t, " threads, ", r, " registers, ", b, " bytes, ", n,
                 " barriers");
          }
        }
      }
    }
  }
}

TEST_CASE("random kernels, caching, carve-outs and preferences") {
  inputs::random_source random(12);
  for (int round = 0; round < 500; ++round) {
    inputs::model_input const input = inputs::plausible(random);
    question const asked{*input.row, input.kernel, input.config};
    if (are_right(asked)) continue;
    wg::kernel_resources const& k = input.kernel;
    CAPTURE(k.static_shared_memory);
    CAPTURE(k.dynamic_shared_memory);
    CAPTURE(k.barriers);
    CAPTURE(k.virtual_resources);
    CAPTURE(static_cast<int>(k.caching));
    CAPTURE(input.config.carveout_percent);
    CAPTURE(static_cast<int>(input.config.preference));
    FAIL("sm_", input.row->compute_capability, ", ", k.threads_per_block, " threads, ", k.registers_per_thread);
  }
}

TEST_CASE("no int overflows") {
  inputs::random_source random(13);
  int steps = 0;
  for (int round = 0; round < 20000; ++round) {
    inputs::model_input const input = inputs::hostile(random);
    wg::residency_steps const answer = wg::next_steps(*input.row, input.kernel, input.config);
    steps += answer.registers_per_thread.more_blocks.exists() ? 1 : 0;
  }
  CHECK(steps > 0);
}
