// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Every inverse answer is put back into the model: what is granted fits, and one register, byte, warp or percent more
/// (or less) does not. The model itself has other judges in tests/oracle/. ptxas's formula is written out once more.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <initializer_list>
#include <vector>

namespace wg = warpguard;

namespace {

constexpr wg::cache_preference no_preference = wg::cache_preference::none;

constexpr bool fits(wg::architecture const& row, wg::kernel_resources const& kernel, int blocks,
                    wg::shared_memory_config const& config = {}) {
  return blocks >= 1 && wg::occupancy_of(row, kernel, config).blocks_per_sm >= blocks;
}

constexpr wg::kernel_resources with_bytes(wg::kernel_resources kernel, int fixed, int dynamic) {
  kernel.static_shared_memory = fixed;
  kernel.dynamic_shared_memory = dynamic;
  return kernel;
}

/// Where a preference for L1 is given up for a large block, a block that needs less may get less.
constexpr bool may_fall_back(wg::architecture const& row, wg::shared_memory_config const& config) {
  return row.compute_capability >= 20 && row.compute_capability < 50 && config.preference != no_preference;
}

// ---- worked by hand ---------------------------------------------------------------------------------------------

constexpr bool test_registers() {
  // The cap at which a register-hungry kernel arrived under ptxas.
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 128, 3) == 168);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 256, 2) == 128);
  EXPECT(wg::max_registers_per_thread(wg::sm_90, 256, 3) == 80);
  EXPECT(wg::max_registers_per_thread(wg::sm_90, 256, 5) == 48);
  EXPECT(wg::max_registers_per_thread(wg::sm_75, 513, 1) == 96);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 96, 7) == 80);
  EXPECT(wg::max_registers_per_thread(wg::sm_75, 1024, 1) == 64);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 1024, 2) == 32);
  EXPECT(wg::max_registers_per_thread(wg::sm_75, 1024, 2) == wg::impossible);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 32, 33) == wg::impossible);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 1025, 1) == wg::impossible);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 32, 0) == wg::impossible);
  EXPECT(wg::max_registers_per_thread(wg::sm_80, 0, 1) == wg::impossible);
  return true;
}
static_assert(test_registers());

/// cudaOccAvailableDynamicSMemPerBlock says 83968, 41984 and 20992, with which one block less is resident.
constexpr bool test_shared_memory() {
  wg::kernel_resources const k{128};
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 1) == 166912);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 2) == 82944);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 4) == 40960);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 8) == 19968);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 16) == wg::max_shared_memory(wg::sm_80, k, 16));
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 17) == wg::impossible);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, {128, 0, 1000}, 1) == 165912);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, {128, 0, 82944}, 2) == 0);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, {128, 0, 82945}, 2) == wg::impossible);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, {128, 0, -1}, 2) == wg::impossible);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_80, k, 1, {-1, no_preference, false}) == 49152);
  EXPECT(wg::max_static_shared_memory(wg::sm_80, k, 1) == 49152);
  EXPECT(wg::max_static_shared_memory(wg::sm_80, k, 4) == 40960);
  EXPECT(wg::max_static_shared_memory(wg::sm_80, {128, 0, 0, 40000}, 4) == 960);
  EXPECT(wg::max_dynamic_shared_memory(wg::sm_35, {128, 0, 20000}, 2, {-1, wg::cache_preference::l1}) == 4576);
  return true;
}
static_assert(test_shared_memory());

constexpr bool test_threads_and_carveout() {
  EXPECT(wg::max_threads_per_block(wg::sm_80, {0}, 2) == 1024);
  EXPECT(wg::max_threads_per_block(wg::sm_80, {0}, 3) == 672);
  EXPECT(wg::max_threads_per_block(wg::sm_80, {0, 128}, 1) == 512);
  EXPECT(wg::max_threads_per_block(wg::sm_80, {0}, 33) == wg::impossible);
  EXPECT(wg::max_threads_per_block(wg::sm_80, {0, 256}, 1) == wg::impossible);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32, 0, 20000}, 6) == 61);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32}, 8) == 0);
  EXPECT(wg::min_carveout_percent(wg::sm_75, {32, 0, 8192}, 8) == 51);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32, 0, 20000}, 9) == wg::impossible);
  EXPECT(wg::min_carveout_percent(wg::sm_61, {32}, 1) == wg::impossible);
  return true;
}
static_assert(test_threads_and_carveout());

/// Warps are pooled over all blocks of an SM and spread over its four quarters of 64 units of registers per lane.
constexpr int ptxas_cap(int threads, int blocks) {
  int const warps = (threads + 31) / 32 * blocks;
  int const of_a_quarter = (warps + 3) / 4;
  int const cap = 64 / of_a_quarter * 8;
  return cap < 255 ? cap : 255;
}
static_assert(ptxas_cap(128, 3) == 168);
static_assert(ptxas_cap(1024, 2) == 32);
static_assert(ptxas_cap(32, 1) == 255);

// ---- one answer, put back into the model
// ------------------------------------------------------------------------------

bool most_registers_are_right(wg::architecture const& row, int threads, int blocks, int most) {
  if (most == wg::impossible) {
    EXPECT(!fits(row, {threads, 1}, blocks));
    return true;
  }
  EXPECT(most >= 1);
  EXPECT(fits(row, {threads, most}, blocks));
  EXPECT(!fits(row, {threads, most + 1}, blocks));
  return true;
}

bool most_bytes_are_right(wg::architecture const& row, wg::kernel_resources const& kernel, int blocks,
                          wg::shared_memory_config const& config, int most) {
  if (most == wg::impossible) {
    EXPECT(!fits(row, kernel, blocks, config));
  } else {
    // It does not matter which part is static.
    EXPECT(fits(row, with_bytes(kernel, 0, most), blocks, config));
    EXPECT(fits(row, with_bytes(kernel, most / 3, most - most / 3), blocks, config));
    EXPECT(!fits(row, with_bytes(kernel, 0, most + 1), blocks, config));
  }
  if (may_fall_back(row, config)) {
    // Not monotone: nothing above may fit either, unit by unit.
    for (int bytes = most + 1; bytes <= row.shared_memory_per_sm; bytes += row.shared_allocation_unit) {
      EXPECT(!fits(row, with_bytes(kernel, 0, bytes), blocks, config));
    }
  }
  // The two ways to split it.
  for (int taken : {0, 1, 100, 8192}) {
    int const rest = most >= taken ? most - taken : wg::impossible;
    EXPECT(wg::max_dynamic_shared_memory(row, with_bytes(kernel, taken, 12345), blocks, config) == rest);
    int const most_static = rest < row.max_shared_per_block_default ? rest : row.max_shared_per_block_default;
    EXPECT(wg::max_static_shared_memory(row, with_bytes(kernel, 12345, taken), blocks, config) == most_static);
  }
  return true;
}

bool most_threads_are_right(wg::architecture const& row, wg::kernel_resources kernel, int blocks, int most) {
  if (most != wg::impossible) {
    kernel.threads_per_block = most;
    EXPECT(most % 32 == 0);
    EXPECT(fits(row, kernel, blocks));
  }
  kernel.threads_per_block = most == wg::impossible ? 1 : most + 1;
  EXPECT(!fits(row, kernel, blocks));
  return true;
}

bool least_carveout_is_right(wg::architecture const& row, wg::kernel_resources const& kernel, int blocks, bool opt_in,
                             int least) {
  auto const fits_at = [&](int percent) { return fits(row, kernel, blocks, {percent, no_preference, opt_in}); };
  if ((row.rules & wg::allocation_rule::carveouts) == 0) {
    EXPECT(least == wg::impossible);
    return true;
  }
  if (least == wg::impossible) {
    EXPECT(!fits_at(100));
    EXPECT(!fits_at(-1));
    return true;
  }
  EXPECT(fits_at(least));
  for (int percent = 0; percent < least; ++percent) EXPECT(!fits_at(percent));
  return true;
}

std::vector<int> block_sizes() {
  std::vector<int> sizes{1, 31, 33, 1023};
  for (int threads = 32; threads <= 1024; threads += 32) sizes.push_back(threads);
  for (int threads = 65; threads <= 1024; threads += 96) sizes.push_back(threads);
  return sizes;
}

}  // namespace

TEST_CASE("worked examples of the inverse questions") {
  CHECK(test_registers());
  CHECK(test_shared_memory());
  CHECK(test_threads_and_carveout());
}

TEST_CASE("registers: the answer fits, one more does not") {
  long answers = 0;
  long impossible = 0;
  for (wg::architecture const* row : wg::architectures) {
    for (int threads : block_sizes()) {
      for (int blocks = 1; blocks <= 33; ++blocks) {
        int const most = wg::max_registers_per_thread(*row, threads, blocks);
        ++answers;
        impossible += most == wg::impossible;
        if (!most_registers_are_right(*row, threads, blocks, most)) {
          FAIL_CHECK("sm_", row->compute_capability, ", ", threads, " threads, ", blocks, " blocks: ", most);
        }
      }
    }
  }
  CHECK(impossible > 1000);
  CHECK(answers - impossible > 1000);
  MESSAGE(answers, " register answers");
}

TEST_CASE("registers: the cap of ptxas, on every architecture of CUDA 13") {
  long compared = 0;
  for (int cc : {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121}) {
    wg::architecture const& row = *wg::find_architecture(cc);
    for (int threads = 1; threads <= 1056; ++threads) {
      for (int blocks = 1; blocks <= 33; ++blocks) {
        int const warps = (threads + 31) / 32;
        bool const feasible =
            threads <= 1024 && blocks <= row.max_blocks_per_sm && warps * blocks <= row.max_warps_per_sm;
        int const expected = feasible ? ptxas_cap(threads, blocks) : wg::impossible;
        ++compared;
        if (wg::max_registers_per_thread(row, threads, blocks) != expected) {
          INFO("sm_", cc, ", ", threads, " threads, ", blocks, " blocks");
          REQUIRE(wg::max_registers_per_thread(row, threads, blocks) == expected);
        }
      }
    }
  }
  MESSAGE(compared, " caps compared with ptxas's formula");
}

TEST_CASE("shared memory: the answer fits, one byte more does not") {
  long answers = 0;
  long impossible = 0;
  std::vector<wg::shared_memory_config> configs;
  for (bool opt_in : {true, false}) {
    for (int percent : {-1, 0, 20, 50, 99, 100}) configs.push_back({percent, no_preference, opt_in});
    for (int preference : {1, 2, 3}) configs.push_back({-1, static_cast<wg::cache_preference>(preference), opt_in});
  }
  for (wg::architecture const* row : wg::architectures) {
    for (wg::kernel_resources const& kernel :
         {wg::kernel_resources{32}, {64, 32}, {96, 255}, {128, 40}, {256, 33}, {500}, {1024, 64}, {64, 0, 0, 0, 5}}) {
      for (wg::shared_memory_config const& config : configs) {
        for (int blocks = 1; blocks <= 33; ++blocks) {
          int const most = wg::max_shared_memory(*row, kernel, blocks, config);
          ++answers;
          impossible += most == wg::impossible;
          if (!most_bytes_are_right(*row, kernel, blocks, config, most)) {
            FAIL_CHECK("sm_", row->compute_capability, ", ", kernel.threads_per_block, " threads, ", blocks,
                       " blocks, ", config.carveout_percent, " %, preference ", static_cast<int>(config.preference),
                       ": ", most);
          }
        }
      }
    }
  }
  CHECK(impossible > 1000);
  CHECK(answers - impossible > 1000);
  MESSAGE(answers, " shared memory answers");
}

TEST_CASE("shared memory: where a block's limit is no multiple of the allocation unit") {
  // A what-if row: all limits are as stated, only the reserve is 1000 bytes.
  wg::architecture row = wg::sm_80;
  row.reserved_shared_per_block = 1000;
  for (int blocks = 1; blocks <= 32; ++blocks) {
    for (bool opt_in : {true, false}) {
      wg::shared_memory_config const config{-1, no_preference, opt_in};
      int const most = wg::max_shared_memory(row, {32}, blocks, config);
      CHECK(fits(row, {32, 0, 0, most}, blocks, config));
      CHECK_FALSE(fits(row, {32, 0, 0, most + 1}, blocks, config));
    }
  }
}

TEST_CASE("threads: the answer fits, one warp more does not") {
  long answers = 0;
  long impossible = 0;
  for (wg::architecture const* row : wg::architectures) {
    for (int registers : {0, 1, 16, 21, 32, 40, 63, 64, 128, 255, 256}) {
      for (int bytes : {0, 3000, 8192, 40000}) {
        for (int caching = 0; caching <= 2; ++caching) {
          for (int blocks = 1; blocks <= 33; ++blocks) {
            wg::kernel_resources kernel{INT_MIN, registers, bytes};
            kernel.caching = static_cast<wg::partitioned_caching>(caching);
            int const most = wg::max_threads_per_block(*row, kernel, blocks);
            ++answers;
            impossible += most == wg::impossible;
            if (!most_threads_are_right(*row, kernel, blocks, most)) {
              FAIL_CHECK("sm_", row->compute_capability, ", ", registers, " registers, ", bytes, " B, ", blocks,
                         " blocks: ", most);
            }
          }
        }
      }
    }
  }
  CHECK(impossible > 1000);
  CHECK(answers - impossible > 1000);
  MESSAGE(answers, " thread answers");
}

TEST_CASE("carve-out: the answer fits, one percent less does not") {
  long answers = 0;
  for (wg::architecture const* row : wg::architectures) {
    for (int bytes : {0, 1, 1000, 4096, 7168, 7169, 12000, 20000, 49152, 49153, 65536, 99000, 166912, 232448}) {
      for (bool opt_in : {true, false}) {
        for (int blocks = 1; blocks <= 33; ++blocks) {
          wg::kernel_resources const kernel{64, 20, 0, bytes};
          int const least = wg::min_carveout_percent(*row, kernel, blocks, opt_in);
          ++answers;
          if (!least_carveout_is_right(*row, kernel, blocks, opt_in, least)) {
            FAIL_CHECK("sm_", row->compute_capability, ", ", bytes, " B, ", blocks, " blocks: ", least);
          }
        }
      }
    }
  }
  MESSAGE(answers, " carve-out answers");
}

TEST_CASE("every int is a question") {
  inputs::random_source random(17);
  for (int i = 0; i < 20000; ++i) {
    inputs::question const q = inputs::hostile(random);
    int const blocks = random.between(0, 1) == 0 ? random.extreme() : random.any_int();
    for (int wanted : {blocks, 1}) {
      int const registers = wg::max_registers_per_thread(*q.row, q.kernel.threads_per_block, wanted);
      int const bytes = wg::max_shared_memory(*q.row, q.kernel, wanted, q.config);
      int const dynamic = wg::max_dynamic_shared_memory(*q.row, q.kernel, wanted, q.config);
      int const fixed = wg::max_static_shared_memory(*q.row, q.kernel, wanted, q.config);
      int const threads = wg::max_threads_per_block(*q.row, q.kernel, wanted, q.config);
      int const percent = wg::min_carveout_percent(*q.row, q.kernel, wanted, q.config.opt_in);
      for (int answer : {registers, bytes, dynamic, fixed, threads, percent}) {
        if (answer < wg::impossible) REQUIRE(answer >= wg::impossible);
      }
      if (wanted < 1 || wanted > q.row->max_blocks_per_sm) {
        for (int answer : {registers, bytes, dynamic, fixed, threads, percent}) REQUIRE(answer == wg::impossible);
      }
    }
  }
}

TEST_CASE("architectures that nobody built") {
  inputs::random_source random(19);
  long fitting = 0;
  for (int i = 0; i < 100000; ++i) {
    wg::architecture row = inputs::strange_but_consistent(random);
    inputs::question q = random.between(0, 3) == 0 ? inputs::hostile(random) : inputs::plausible(random);
    if (random.between(0, 1) == 0) q.kernel = {random.between(1, row.max_threads_per_block)};
    int const blocks = random.between(1, row.max_blocks_per_sm < 40 ? row.max_blocks_per_sm : 40);
    int const registers = wg::max_registers_per_thread(row, q.kernel.threads_per_block, blocks);
    int const bytes = wg::max_shared_memory(row, q.kernel, blocks, q.config);
    fitting += bytes != wg::impossible;
    auto const bytes_are_right = [&] {
      auto const fits_with = [&](int wanted) { return fits(row, with_bytes(q.kernel, 0, wanted), blocks, q.config); };
      if (bytes == wg::impossible) {
        EXPECT(!fits_with(0));
        return true;
      }
      EXPECT(fits_with(bytes));
      EXPECT(!fits_with(bytes + 1));
      EXPECT(!fits_with(bytes + row.shared_allocation_unit));
      return true;
    };
    if (!most_registers_are_right(row, q.kernel.threads_per_block, blocks, registers) || !bytes_are_right()) {
      FAIL("number ", i, ": ", blocks, " blocks: ", registers, " registers, ", bytes, " bytes");
    }
    // What is no SM is asked in vain.
    inputs::cell(row, random.between(1, 16)) = random.extreme();
    if (wg::is_valid(row)) continue;
    REQUIRE(wg::max_registers_per_thread(row, 32, 1) == wg::impossible);
    REQUIRE(wg::max_shared_memory(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::max_dynamic_shared_memory(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::max_static_shared_memory(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::max_threads_per_block(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::min_carveout_percent(row, {32}, 1) == wg::impossible);
  }
  CHECK(fitting > 1000);
}
