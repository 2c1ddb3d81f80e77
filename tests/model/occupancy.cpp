// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests occupancy_of() with worked examples and with properties that every result must have. tests/oracle/ compares it
/// with code and tools of NVIDIA.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <initializer_list>

namespace wg = warpguard;

namespace {

constexpr wg::cache_preference no_preference = wg::cache_preference::none;
constexpr wg::cache_preference prefer_l1 = wg::cache_preference::l1;

constexpr int blocks(wg::architecture const& row, wg::kernel_resources const& kernel,
                     wg::shared_memory_config const& config = {}) {
  return wg::occupancy_of(row, kernel, config).blocks_per_sm;
}

// ---- worked examples ------------------------------------------------------------------------------------------------

constexpr bool test_textbook() {
  wg::occupancy const volta = wg::occupancy_of(wg::sm_70, {128, 37});
  EXPECT(volta.blocks_per_sm == 12);
  EXPECT(volta.warps_per_sm == 48);
  EXPECT(volta.reaches(75));
  EXPECT(!volta.reaches(76));
  wg::occupancy const ten_warps = wg::occupancy_of(wg::sm_70, {320, 37});
  EXPECT(ten_warps.blocks_per_sm == 4);
  EXPECT(ten_warps.warps_per_sm == 40);
  EXPECT(ten_warps.reaches(62));
  EXPECT(!ten_warps.reaches(63));  // 62.5 %
  EXPECT(blocks(wg::sm_60, {256, 32}) == 8);
  wg::occupancy const turing = wg::occupancy_of(wg::sm_75, {64, 96});
  EXPECT(turing.warps_per_sm == 20);
  EXPECT(turing.max_warps_per_sm == 32);
  EXPECT(blocks(wg::sm_75, {64, 9}) == 16);
  return true;
}
static_assert(test_textbook());

/// Textbooks ignore the 1 KiB that the driver reserves per block.
constexpr bool test_reserve() {
  wg::architecture hopper = wg::sm_90;
  wg::architecture ampere = wg::sm_80;
  EXPECT(blocks(hopper, {32, 8, 12 * 1024}) == 17);
  EXPECT(blocks(ampere, {256, 0, 32 * 1024}) == 4);
  hopper.reserved_shared_per_block = 0;
  ampere.reserved_shared_per_block = 0;
  EXPECT(blocks(hopper, {32, 8, 12 * 1024}) == 19);
  EXPECT(blocks(ampere, {256, 0, 32 * 1024}) == 5);
  return true;
}
static_assert(test_reserve());

constexpr bool test_shared_memory() {
  // Carve-out 0 is the smallest that holds one block: 8 KiB for the reserve alone, 16 KiB for 9000 bytes.
  EXPECT(blocks(wg::sm_80, {32}, {0}) == 8);
  EXPECT(blocks(wg::sm_80, {32, 0, 9000}, {0}) == 1);
  // 60 % of 164 KiB is less than 100 KiB, 61 % is more.
  EXPECT(blocks(wg::sm_80, {32, 0, 20000}, {60}) == 4);
  EXPECT(blocks(wg::sm_80, {32, 0, 20000}, {61}) == 6);
  EXPECT(blocks(wg::sm_75, {32, 0, 8192}, {50}) == 4);
  EXPECT(blocks(wg::sm_75, {32, 0, 8192}, {51}) == 8);
  // The limits per block with and without the opt-in.
  EXPECT(blocks(wg::sm_80, {128, 0, 0, 166912}) == 1);
  EXPECT(blocks(wg::sm_80, {128, 0, 0, 166913}) == 0);
  wg::shared_memory_config const not_opted_in{-1, no_preference, false};
  EXPECT(blocks(wg::sm_80, {128, 0, 0, 49152}, not_opted_in) == 3);
  EXPECT(blocks(wg::sm_80, {128, 0, 0, 49153}, not_opted_in) == 0);
  EXPECT(blocks(wg::sm_86, {32, 16, 5376}) == 16);
  EXPECT(blocks(wg::sm_86, {32, 16, 5377}) == 15);
  EXPECT(blocks(wg::sm_86, {32, 16, 0, 101376}) == 1);
  EXPECT(blocks(wg::sm_86, {32, 16, 0, 101377}) == 0);
  // Kepler ignores a preference for L1 if a block needs more shared memory than it leaves.
  EXPECT(blocks(wg::sm_35, {32, 0, 12000}, {-1, prefer_l1}) == 1);
  EXPECT(blocks(wg::sm_35, {32, 0, 20000}, {-1, prefer_l1}) == 2);
  // From 7.0 on the cache preference acts as a carve-out. Before 7.0 a carve-out has no effect.
  EXPECT(blocks(wg::sm_80, {32}, {-1, prefer_l1}) == 8);
  EXPECT(blocks(wg::sm_80, {32}, {100, prefer_l1}) == 32);
  EXPECT(blocks(wg::sm_61, {32, 0, 20000}, {0}) == 4);
  return true;
}
static_assert(test_shared_memory());

constexpr bool test_registers() {
  // Tegra GPUs allow 32 K registers per block, and count the warps of a block in groups of four.
  EXPECT(blocks(wg::sm_32, {160, 129}) == 0);
  EXPECT(blocks(wg::sm_35, {160, 129}) == 2);
  EXPECT(blocks(wg::sm_32, {352, 97}) == 0);
  EXPECT(blocks(wg::sm_62, {736, 54}) == 0);
  // 3.7 has 128 K registers per SM; a block may have half of them.
  EXPECT(blocks(wg::sm_37, {64, 129}) == 14);
  EXPECT(blocks(wg::sm_37, {320, 111}) == 3);
  EXPECT(blocks(wg::sm_53, {32, 65}) == 28);
  // 6.0 refuses blocks that do not fit 6.1.
  EXPECT(blocks(wg::sm_60, {288, 169}) == 0);
  EXPECT(blocks(wg::sm_61, {288, 169}) == 0);
  EXPECT(blocks(wg::sm_60, {704, 88}) == 0);
  // The maximum per thread, and one more.
  for (wg::architecture const* row : wg::architectures) {
    EXPECT(blocks(*row, {32, row->max_registers_per_thread}) >= 1);
    EXPECT(blocks(*row, {32, row->max_registers_per_thread + 1}) == 0);
  }
  // 1.x allocates warps in pairs and registers per block.
  EXPECT(blocks(wg::sm_10, {65}) == 6);
  EXPECT(blocks(wg::sm_12, {129}) == 5);
  EXPECT(blocks(wg::sm_10, {192, 10}) == 4);
  EXPECT(blocks(wg::sm_10, {192, 11}) == 3);
  return true;
}
static_assert(test_registers());

constexpr bool test_partitioned_caching() {
  auto const with = [](int threads, int registers, wg::partitioned_caching caching) {
    wg::kernel_resources kernel{threads, registers};
    kernel.caching = caching;
    return kernel;
  };
  constexpr auto on = wg::partitioned_caching::on;
  constexpr auto strict = wg::partitioned_caching::strict;
  // Each half of the SM holds ten blocks of three warps.
  EXPECT(blocks(wg::sm_52, {96}) == 21);
  EXPECT(blocks(wg::sm_52, with(96, 0, on)) == 20);
  // The registers of half an SM are too few: `on` falls back to no caching, `strict` runs no block.
  EXPECT(blocks(wg::sm_52, with(480, 79, on)) == 1);
  EXPECT(blocks(wg::sm_52, with(480, 79, strict)) == 0);
  EXPECT(blocks(wg::sm_52, with(736, 46, on)) == 1);
  EXPECT(blocks(wg::sm_52, with(736, 46, strict)) == 0);
  // NVIDIA's spreadsheet, saved with the setting that caches loads in L1, has 4 blocks of 128 threads with 85 registers
  // on 5.2. Without the setting there are 5: a warp takes 2816 registers, so each of the 4 register files holds 5
  // warps.
  EXPECT(blocks(wg::sm_52, with(128, 85, strict)) == 4);
  EXPECT(blocks(wg::sm_52, with(128, 85, on)) == 4);
  EXPECT(blocks(wg::sm_52, {128, 85}) == 5);
  // Other architectures have no partitioned caching.
  EXPECT(blocks(wg::sm_50, with(96, 0, strict)) == 21);
  EXPECT(blocks(wg::sm_60, with(96, 0, strict)) == 21);
  return true;
}
static_assert(test_partitioned_caching());

constexpr bool test_barriers() {
  EXPECT(wg::occupancy_of(wg::sm_90, {64}).blocks_by_barriers == 64);  // one barrier, which most kernels have
  EXPECT(blocks(wg::sm_120, {64, 0, 0, 0, 2}) == 12);
  EXPECT(blocks(wg::sm_120, {64, 0, 0, 0, 16}) == 1);
  EXPECT(blocks(wg::sm_90, {128, 0, 0, 0, 16}) == 4);
  EXPECT(blocks(wg::sm_80, {128, 0, 0, 0, 16}) == 16);
  EXPECT(blocks(wg::sm_100, {64, 0, 0, 0, 1, 32}) == 4);
  EXPECT(blocks(wg::sm_90, {64, 0, 0, 0, 1, 32}) == 32);
  wg::occupancy const three = wg::occupancy_of(wg::sm_90, {64, 0, 0, 0, 3});
  EXPECT(three.blocks_per_sm == 21);
  EXPECT(three.limited_by == wg::limiter::barriers);
  return true;
}
static_assert(test_barriers());

// ---- the other members of the result --------------------------------------------------------------------------------

constexpr bool test_limiters() {
  // Each is a bit of its own, the same as in cuda_occupancy.h.
  unsigned bit = 1;
  for (wg::limiter each : {wg::limiter::warps, wg::limiter::registers, wg::limiter::shared_memory,
                           wg::limiter::block_slots, wg::limiter::barriers, wg::limiter::virtual_resources}) {
    EXPECT(static_cast<unsigned>(each) == bit);
    bit *= 2;
  }
  using wg::limiter;
  auto const of = [](wg::architecture const& row, wg::kernel_resources const& kernel) {
    return wg::occupancy_of(row, kernel).limited_by;
  };
  EXPECT(of(wg::sm_80, {256}) == limiter::warps);
  EXPECT(of(wg::sm_80, {256, 64}) == limiter::registers);
  EXPECT(of(wg::sm_80, {64, 0, 40000}) == limiter::shared_memory);
  EXPECT(of(wg::sm_80, {32}) == limiter::block_slots);
  EXPECT(of(wg::sm_90, {64, 0, 0, 0, 5}) == limiter::barriers);
  EXPECT(of(wg::sm_100, {64, 0, 0, 0, 1, 11}) == limiter::virtual_resources);
  EXPECT(of(wg::sm_80, {64, 32}) == (limiter::warps | limiter::registers | limiter::block_slots));
  EXPECT(of(wg::sm_90, {128, 32, 0, 0, 4}) == (limiter::warps | limiter::registers | limiter::barriers));
  // No block fits: the resource that allows none is the limiter.
  EXPECT(of(wg::sm_80, {1025}) == limiter::warps);
  EXPECT(of(wg::sm_80, {32, 256}) == limiter::registers);
  // Invalid input: there is no limiter.
  EXPECT(of(wg::sm_80, {0}) == limiter::none);
  limiter const two = limiter::warps | limiter::barriers;
  EXPECT(contains(two, limiter::warps));
  EXPECT(contains(two, two));
  EXPECT(!contains(two, limiter::registers));
  EXPECT(!contains(limiter::warps, two));
  EXPECT(contains(two, limiter::none));
  return true;
}
static_assert(test_limiters());

constexpr bool test_obstacles() {
  using wg::obstacle;
  auto const of = [](wg::architecture const& row, wg::kernel_resources const& kernel,
                     wg::shared_memory_config const& config = {}) {
    wg::occupancy const o = wg::occupancy_of(row, kernel, config);
    return o.blocks_per_sm == 0 && o.warps_per_sm == 0 && o.threads_per_sm == 0 ? o.obstructed_by : obstacle::none;
  };
  wg::architecture no_warps = wg::sm_90;
  no_warps.max_warps_per_sm = 0;
  // Each obstacle, followed by a similar kernel that runs.
  EXPECT(of(no_warps, {128}) == obstacle::architecture);
  EXPECT(of(wg::sm_90, {128}) == obstacle::none);
  EXPECT(of(wg::sm_90, {0}) == obstacle::threads_per_block);
  EXPECT(of(wg::sm_90, {1}) == obstacle::none);
  EXPECT(of(wg::sm_90, {-1}) == obstacle::threads_per_block);
  EXPECT(of(wg::sm_90, {1025}) == obstacle::threads_per_block);
  EXPECT(of(wg::sm_90, {1024}) == obstacle::none);
  EXPECT(of(wg::sm_13, {513}) == obstacle::threads_per_block);
  EXPECT(of(wg::sm_13, {512}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32, -1}) == obstacle::registers_per_thread);
  EXPECT(of(wg::sm_90, {32, 0}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32, 256}) == obstacle::registers_per_thread);
  EXPECT(of(wg::sm_90, {32, 255}) == obstacle::none);
  EXPECT(of(wg::sm_30, {32, 64}) == obstacle::registers_per_thread);
  EXPECT(of(wg::sm_30, {32, 63}) == obstacle::none);
  EXPECT(of(wg::sm_90, {1024, 65}) == obstacle::registers_per_block);
  EXPECT(of(wg::sm_75, {1024, 65}) == obstacle::registers_per_block);  // where warps allow one block
  EXPECT(of(wg::sm_90, {1024, 64}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32, 0, -1}) == obstacle::negative_amount);
  EXPECT(of(wg::sm_90, {32, 0, 0, -1}) == obstacle::negative_amount);
  EXPECT(of(wg::sm_90, {32, 0, 0, 0, -1}) == obstacle::negative_amount);
  EXPECT(of(wg::sm_90, {32, 0, 0, 0, 0, -1}) == obstacle::negative_amount);
  EXPECT(of(wg::sm_90, {32, 0, 0, 0, 0, 0}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32, 0, 100000, 132449}) == obstacle::shared_memory_per_block);
  EXPECT(of(wg::sm_90, {32, 0, 100000, 132448}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32, 0, 0, 0, 65}) == obstacle::barriers);
  EXPECT(of(wg::sm_90, {32, 0, 0, 0, 64}) == obstacle::none);
  EXPECT(of(wg::sm_100, {32, 0, 0, 0, 1, 129}) == obstacle::virtual_resources);
  EXPECT(of(wg::sm_100, {32, 0, 0, 0, 1, 128}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32}, {101}) == obstacle::shared_memory_config);
  EXPECT(of(wg::sm_90, {32}, {100}) == obstacle::none);
  EXPECT(of(wg::sm_90, {32}, {-2}) == obstacle::shared_memory_config);
  EXPECT(of(wg::sm_90, {32}, {-1}) == obstacle::none);
  // Of several obstacles, the first one in the order of the enum.
  EXPECT(of(no_warps, {0, -1, -1}, {101}) == obstacle::architecture);
  EXPECT(of(wg::sm_90, {0, -1, -1}, {101}) == obstacle::threads_per_block);
  EXPECT(of(wg::sm_90, {32, -1, -1}, {101}) == obstacle::registers_per_thread);
  EXPECT(of(wg::sm_90, {32, 1, -1}, {101}) == obstacle::shared_memory_config);
  EXPECT(of(wg::sm_90, {32, 1, -1}) == obstacle::negative_amount);
  EXPECT(of(wg::sm_90, {2000, 300, 0, 1000000, 65}) == obstacle::threads_per_block);
  EXPECT(of(wg::sm_90, {1000, 300, 0, 1000000, 65}) == obstacle::registers_per_thread);
  EXPECT(of(wg::sm_90, {1000, 200, 0, 1000000, 65}) == obstacle::registers_per_block);
  EXPECT(of(wg::sm_90, {1000, 10, 0, 1000000, 65}) == obstacle::shared_memory_per_block);
  EXPECT(of(wg::sm_100, {1000, 10, 0, 0, 65, 129}) == obstacle::barriers);
  return true;
}
static_assert(test_obstacles());

constexpr bool test_unused() {
  wg::occupancy const o = wg::occupancy_of(wg::sm_80, {96, 100, 5000});
  // A warp takes 13 units of 256 registers for 100 per thread. A quarter of the file holds four such warps, which makes
  // 16 warps: five blocks of three.
  EXPECT(o.warps_per_block == 3);
  EXPECT(o.registers_per_block == 3 * 13 * 256);
  EXPECT(o.blocks_by_registers == 5);
  EXPECT(o.blocks_per_sm == 5);
  EXPECT(o.unused_warps == 64 - 15);
  EXPECT(o.unused_registers == 65536 - 5 * 9984);
  EXPECT(o.shared_memory_per_block == 6144);  // 5000 + 1024, rounded up to 128
  EXPECT(o.shared_memory_budget == 164 * 1024);
  EXPECT(o.unused_shared_memory == 164 * 1024 - 5 * 6144);
  // 1.x allocates warp slots in pairs: three warps take four slots, and the lost one does not count as unused.
  wg::occupancy const tesla = wg::occupancy_of(wg::sm_10, {65});
  EXPECT(tesla.warps_per_sm == 18);
  EXPECT(tesla.unused_warps == 0);
  // Without a resident block no warps are counted as unused.
  wg::occupancy const none = wg::occupancy_of(wg::sm_80, {2000});
  EXPECT(none.unused_warps == 0);
  EXPECT(none.max_warps_per_sm == 64);
  return true;
}
static_assert(test_unused());

constexpr bool test_percent() {
  wg::occupancy o{};
  EXPECT(!o.reaches(1));
  EXPECT(!o.reaches(100));
  EXPECT(o.percent() <= 0);
  o.max_warps_per_sm = 64;
  EXPECT(o.reaches(0));
  EXPECT(!o.reaches(1));
  EXPECT(o.reaches(-1));
  o.warps_per_sm = 43;  // 67.1875 %
  EXPECT(o.reaches(67));
  EXPECT(!o.reaches(68));
  EXPECT(o.percent() == 67.1875);
  o.warps_per_sm = 64;
  EXPECT(o.reaches(100));
  EXPECT(!o.reaches(101));
  EXPECT(o.percent() == 100.0);
  o.max_warps_per_sm = 48;
  o.warps_per_sm = 16;  // a third, which no double represents exactly: 33 % is reached, 34 % is not
  EXPECT(o.reaches(33));
  EXPECT(!o.reaches(34));
  EXPECT(!o.reaches(INT_MAX));
  EXPECT(o.reaches(INT_MIN));
  return true;
}
static_assert(test_percent());

/// An invalid architecture reaches no percentage, not even one with 0 or fewer warps.
constexpr bool test_percent_of_invalid_architecture() {
  for (int warps : {INT_MIN, -64, 0, 1, INT_MAX}) {
    wg::architecture row = wg::sm_90;
    row.max_warps_per_sm = warps;
    wg::occupancy const o = wg::occupancy_of(row, {128});
    EXPECT(o.blocks_per_sm == 0);
    EXPECT(!o.reaches(1));
    EXPECT(!o.reaches(100));
    EXPECT(o.percent() <= 0);
  }
  return true;
}
static_assert(test_percent_of_invalid_architecture());

// ---- properties -----------------------------------------------------------------------------------------------------

constexpr bool equal(wg::occupancy const& a, wg::occupancy const& b) {
  EXPECT(a.blocks_per_sm == b.blocks_per_sm);
  EXPECT(a.warps_per_sm == b.warps_per_sm);
  EXPECT(a.threads_per_sm == b.threads_per_sm);
  EXPECT(a.blocks_by_warps == b.blocks_by_warps);
  EXPECT(a.blocks_by_registers == b.blocks_by_registers);
  EXPECT(a.blocks_by_shared_memory == b.blocks_by_shared_memory);
  EXPECT(a.blocks_by_block_slots == b.blocks_by_block_slots);
  EXPECT(a.blocks_by_barriers == b.blocks_by_barriers);
  EXPECT(a.blocks_by_virtual_resources == b.blocks_by_virtual_resources);
  EXPECT(a.limited_by == b.limited_by);
  EXPECT(a.obstructed_by == b.obstructed_by);
  EXPECT(a.warps_per_block == b.warps_per_block);
  EXPECT(a.registers_per_block == b.registers_per_block);
  EXPECT(a.shared_memory_per_block == b.shared_memory_per_block);
  EXPECT(a.shared_memory_budget == b.shared_memory_budget);
  EXPECT(a.max_warps_per_sm == b.max_warps_per_sm);
  EXPECT(a.unused_warps == b.unused_warps);
  EXPECT(a.unused_registers == b.unused_registers);
  EXPECT(a.unused_shared_memory == b.unused_shared_memory);
  return true;
}
static_assert(sizeof(wg::occupancy) == 19 * sizeof(int), "equal() compares every member");

/// Properties of every result.
constexpr bool is_consistent(wg::architecture const& row, wg::kernel_resources const& kernel, wg::occupancy const& o) {
  EXPECT(o.blocks_per_sm >= 0);
  EXPECT((o.blocks_per_sm == 0) == (o.obstructed_by != wg::obstacle::none));
  if (o.blocks_per_sm == 0) {
    EXPECT(o.warps_per_sm == 0);
    EXPECT(o.threads_per_sm == 0);
    EXPECT(!o.reaches(1));
    return true;
  }
  int const limits[] = {o.blocks_by_warps,       o.blocks_by_registers, o.blocks_by_shared_memory,
                        o.blocks_by_block_slots, o.blocks_by_barriers,  o.blocks_by_virtual_resources};
  wg::limiter const names[] = {wg::limiter::warps,       wg::limiter::registers, wg::limiter::shared_memory,
                               wg::limiter::block_slots, wg::limiter::barriers,  wg::limiter::virtual_resources};
  wg::limiter exact = wg::limiter::none;
  for (int i = 0; i < 6; ++i) {
    EXPECT(o.blocks_per_sm <= limits[i]);
    if (o.blocks_per_sm == limits[i]) exact = exact | names[i];
  }
  EXPECT(o.limited_by == exact);
  EXPECT(exact != wg::limiter::none);
  EXPECT(o.warps_per_sm == o.blocks_per_sm * o.warps_per_block);
  EXPECT(o.warps_per_sm <= row.max_warps_per_sm);
  EXPECT(o.threads_per_sm == o.blocks_per_sm * kernel.threads_per_block);
  EXPECT(o.threads_per_sm <= row.max_threads_per_sm);
  EXPECT(kernel.threads_per_block <= row.max_threads_per_block);
  EXPECT(o.unused_warps >= 0);
  EXPECT(o.unused_registers >= 0);
  EXPECT(o.unused_shared_memory >= 0);
  EXPECT(o.unused_warps <= row.max_warps_per_sm - o.warps_per_sm);
  EXPECT(o.unused_registers + o.blocks_per_sm * o.registers_per_block == row.registers_per_sm);
  EXPECT(1LL * o.registers_per_block >= 1LL * kernel.registers_per_thread * kernel.threads_per_block);
  EXPECT(o.shared_memory_per_block >= 0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory);
  EXPECT(o.shared_memory_budget <= row.shared_memory_per_sm);
  EXPECT(o.unused_shared_memory + o.blocks_per_sm * o.shared_memory_per_block == o.shared_memory_budget);
  return true;
}

constexpr int samples = 250;

struct sampled_answers {
  wg::occupancy of[samples];
};

constexpr sampled_answers answer_samples(std::uint64_t seed) {
  sampled_answers answers{};
  inputs::random_source random(seed);
  for (wg::occupancy& o : answers.of) {
    inputs::model_input const input = inputs::hostile(random);
    o = wg::occupancy_of(*input.row, input.kernel, input.config);
  }
  return answers;
}
constexpr sampled_answers at_compile_time = answer_samples(20240229);

/// Fermi and Kepler ignore a preference for L1 if a block needs more, so more bytes per block may allow more blocks.
constexpr bool monotone_in_bytes(wg::architecture const& row, wg::shared_memory_config const& config) {
  bool const may_prefer = row.compute_capability >= 20 && row.compute_capability < 50;
  return !may_prefer || config.preference == wg::cache_preference::none ||
         config.preference == wg::cache_preference::shared;
}

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_textbook());
  CHECK(test_reserve());
  CHECK(test_shared_memory());
  CHECK(test_registers());
  CHECK(test_partitioned_caching());
  CHECK(test_barriers());
}

TEST_CASE("limiters, obstacles, unused resources and percentages") {
  CHECK(test_limiters());
  CHECK(test_obstacles());
  CHECK(test_unused());
  CHECK(test_percent());
  CHECK(test_percent_of_invalid_architecture());
}

TEST_CASE("the results at run time and at compile time are equal") {
  std::uint64_t const volatile seed = 20240229;  // so that the optimizer does not know it
  sampled_answers const at_run_time = answer_samples(seed);
  int resident = 0;
  for (int i = 0; i < samples; ++i) {
    CHECK(equal(at_run_time.of[i], at_compile_time.of[i]));
    resident += at_run_time.of[i].blocks_per_sm > 0;
  }
  CHECK(resident > 10);
  CHECK(resident < samples - 10);
}

TEST_CASE("every result is consistent, and more of a resource never allows more blocks") {
  inputs::random_source random(7);
  long resident = 0;
  for (int i = 0; i < 300000; ++i) {
    inputs::model_input const input = inputs::plausible(random);
    wg::occupancy const o = wg::occupancy_of(*input.row, input.kernel, input.config);
    resident += o.blocks_per_sm > 0;
    auto const is_right = [&] {
      auto const no_more = [&](wg::kernel_resources const& larger) {
        return wg::occupancy_of(*input.row, larger, input.config).blocks_per_sm <= o.blocks_per_sm;
      };
      EXPECT(is_consistent(*input.row, input.kernel, o));
      wg::kernel_resources more_registers = input.kernel;
      more_registers.registers_per_thread += random.between(1, 40);
      EXPECT(no_more(more_registers));
      wg::kernel_resources more_threads = input.kernel;
      more_threads.threads_per_block += random.between(1, 100);
      EXPECT(no_more(more_threads));  // not more blocks; there may be more warps
      wg::kernel_resources more_barriers = input.kernel;
      more_barriers.barriers += 1 + (input.kernel.barriers > 0 ? random.between(0, 5) : 0);
      EXPECT(no_more(more_barriers));
      wg::kernel_resources more_virtual_resources = input.kernel;
      more_virtual_resources.virtual_resources += random.between(1, 5);
      EXPECT(no_more(more_virtual_resources));
      if (monotone_in_bytes(*input.row, input.config)) {
        wg::kernel_resources more_bytes = input.kernel;
        (random.between(0, 1) == 0 ? more_bytes.static_shared_memory : more_bytes.dynamic_shared_memory) +=
            random.between(1, 3000);
        EXPECT(no_more(more_bytes));
      }
      // A larger carve-out and the opt-in never reduce the blocks.
      wg::shared_memory_config larger_config = input.config;
      if (larger_config.carveout_percent >= 0 && larger_config.carveout_percent < 100) ++larger_config.carveout_percent;
      larger_config.opt_in = true;
      EXPECT(wg::occupancy_of(*input.row, input.kernel, larger_config).blocks_per_sm >= o.blocks_per_sm);
      return true;
    };
    if (!is_right()) {
      FAIL("sm_", input.row->compute_capability, ", ", input.kernel.threads_per_block, " threads, ",
           input.kernel.registers_per_thread, " registers, ", input.kernel.static_shared_memory, " + ",
           input.kernel.dynamic_shared_memory, " B");
    }
  }
  CHECK(resident > 100000);
}

TEST_CASE("exceptions: more bytes may allow more blocks, more threads may allow more warps") {
  // Bytes: 2.x and 3.x ignore a preference for L1 if a block needs more.
  CHECK(blocks(wg::sm_35, {32, 0, 12000}, {-1, prefer_l1}) < blocks(wg::sm_35, {32, 0, 20000}, {-1, prefer_l1}));
  CHECK(blocks(wg::sm_20, {32, 0, 12000}, {-1, prefer_l1}) < blocks(wg::sm_20, {32, 0, 20000}, {-1, prefer_l1}));
  // Threads per block: the warps per SM rise and fall.
  CHECK(wg::occupancy_of(wg::sm_80, {704}).warps_per_sm < wg::occupancy_of(wg::sm_80, {1024}).warps_per_sm);
  CHECK(wg::occupancy_of(wg::sm_80, {672}).warps_per_sm > wg::occupancy_of(wg::sm_80, {704}).warps_per_sm);
}

TEST_CASE("any int is a valid input: kernels and configurations") {
  inputs::random_source random(11);
  for (int i = 0; i < 300000; ++i) {
    inputs::model_input const input = inputs::hostile(random);
    wg::occupancy const o = wg::occupancy_of(*input.row, input.kernel, input.config);
    if (!is_consistent(*input.row, input.kernel, o)) FAIL("number ", i);
  }
  // Every pair of extreme values in every pair of members.
  int wg::kernel_resources::*const members[] = {&wg::kernel_resources::threads_per_block,
                                                &wg::kernel_resources::registers_per_thread,
                                                &wg::kernel_resources::static_shared_memory,
                                                &wg::kernel_resources::dynamic_shared_memory,
                                                &wg::kernel_resources::barriers,
                                                &wg::kernel_resources::virtual_resources};
  for (wg::architecture const* row :
       {&wg::sm_10, &wg::sm_20, &wg::sm_35, &wg::sm_52, &wg::sm_60, &wg::sm_90, &wg::sm_120}) {
    for (auto const first : members) {
      for (auto const second : members) {
        for (int one : inputs::extremes) {
          for (int other : inputs::extremes) {
            wg::kernel_resources kernel{64, 20};
            kernel.*first = one;
            kernel.*second = other;
            if (!is_consistent(*row, kernel, wg::occupancy_of(*row, kernel))) {
              FAIL("sm_", row->compute_capability, ", extremes ", one, " and ", other);
            }
          }
        }
      }
    }
    for (int percent : inputs::extremes) {
      for (int preference : {INT_MIN, -1, 0, 1, 2, 3, 4, INT_MAX}) {
        wg::shared_memory_config const config{percent, static_cast<wg::cache_preference>(preference)};
        wg::occupancy const o = wg::occupancy_of(*row, {64}, config);
        bool const refused = percent < -1 || percent > 100 || preference < 0 || preference > 3;
        REQUIRE((o.obstructed_by == wg::obstacle::shared_memory_config) == refused);
        REQUIRE((o.blocks_per_sm == 0) == refused);
      }
    }
  }
}

TEST_CASE("any int is a valid input: architectures") {
  inputs::random_source random(13);
  long refused = 0;
  long accepted = 0;
  auto const check = [&](wg::architecture const& row, inputs::model_input const& input) {
    wg::occupancy const o = wg::occupancy_of(row, input.kernel, input.config);
    bool const valid = wg::is_valid(row);
    (valid ? accepted : refused)++;
    // An inconsistent row may get any result, but without undefined behaviour, which the sanitizers check.
    EXPECT(o.blocks_per_sm >= 0);
    EXPECT((o.blocks_per_sm == 0) == (o.obstructed_by != wg::obstacle::none));
    if (!valid) return true;
    EXPECT(o.obstructed_by != wg::obstacle::architecture);
    EXPECT(is_consistent(row, input.kernel, o));
    return true;
  };
  for (wg::architecture const* real : {&wg::sm_10, &wg::sm_20, &wg::sm_35, &wg::sm_52, &wg::sm_60, &wg::sm_90}) {
    for (int first = 0; first < inputs::cells; ++first) {
      for (int one : inputs::extremes) {
        for (int second = first; second < inputs::cells; ++second) {
          wg::architecture row = *real;
          inputs::cell(row, second) = random.extreme();
          inputs::cell(row, first) = one;
          if (!check(row, inputs::hostile(random)) || !check(row, inputs::plausible(random))) {
            FAIL("sm_", real->compute_capability, ", cells ", first, " and ", second);
          }
        }
      }
    }
  }
  CHECK(refused > 10000);
  CHECK(accepted > 1000);
  accepted = 0;
  for (int i = 0; i < 200000; ++i) {
    wg::architecture const row = inputs::synthetic_architecture(random);
    REQUIRE(wg::is_valid(row));
    if (!check(row, inputs::hostile(random)) || !check(row, inputs::plausible(random))) FAIL("number ", i);
  }
  CHECK(accepted == 400000);
}
