// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks the inverse queries with occupancy_of(): the amount they return fits, and one register, byte or warp more, or
/// one percent less, does not. tests/oracle/ tests occupancy_of() itself. The register cap is also compared with a
/// second implementation of ptxas's formula.

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

/// On 2.x and 3.x the driver ignores a preference for L1 if a block needs more, so a smaller block may get less memory.
constexpr bool may_fall_back(wg::architecture const& row, wg::shared_memory_config const& config) {
  return row.compute_capability >= 20 && row.compute_capability < 50 && config.preference != no_preference;
}

// ---- worked examples ------------------------------------------------------------------------------------------------

constexpr bool test_registers() {
  // The number of registers that ptxas gives to a kernel which needs more.
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

/// For 2, 4 and 8 blocks cudaOccAvailableDynamicSMemPerBlock returns 83968, 41984 and 20992 bytes, with which one block
/// less is resident.
constexpr bool test_shared_memory() {
  wg::kernel_resources const k{128};
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 1) == 166912);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 2) == 82944);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 4) == 40960);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 8) == 19968);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 16) == wg::max_shared_bytes(wg::sm_80, k, 16));
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 17) == wg::impossible);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, {128, 0, 1000}, 1) == 165912);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, {128, 0, 82944}, 2) == 0);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, {128, 0, 82945}, 2) == wg::impossible);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, {128, 0, -1}, 2) == wg::impossible);
  EXPECT(wg::max_dynamic_bytes(wg::sm_80, k, 1, {-1, no_preference, false}) == 49152);
  EXPECT(wg::max_static_bytes(wg::sm_80, k, 1) == 49152);
  EXPECT(wg::max_static_bytes(wg::sm_80, k, 4) == 40960);
  EXPECT(wg::max_static_bytes(wg::sm_80, {128, 0, 0, 40000}, 4) == 960);
  EXPECT(wg::max_dynamic_bytes(wg::sm_35, {128, 0, 20000}, 2, {-1, wg::cache_preference::l1}) == 4576);
  return true;
}
static_assert(test_shared_memory());

constexpr bool test_threads_and_carveout() {
  EXPECT(wg::max_block_size(wg::sm_80, {0}, 2) == 1024);
  EXPECT(wg::max_block_size(wg::sm_80, {0}, 3) == 672);
  EXPECT(wg::max_block_size(wg::sm_80, {0, 128}, 1) == 512);
  EXPECT(wg::max_block_size(wg::sm_80, {0}, 33) == wg::impossible);
  EXPECT(wg::max_block_size(wg::sm_80, {0, 256}, 1) == wg::impossible);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32, 0, 20000}, 6) == 61);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32}, 8) == 0);
  EXPECT(wg::min_carveout_percent(wg::sm_75, {32, 0, 8192}, 8) == 51);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32, 0, 20000}, 9) == wg::impossible);
  EXPECT(wg::min_carveout_percent(wg::sm_61, {32}, 1) == wg::impossible);
  EXPECT(wg::min_carveout_percent(wg::sm_80, {32, 0, 0, 60000}, 1) == 0);  // opted in, unless the caller says otherwise
  // No row of the table needs 100 %: 99 % are more than its second largest carve-out.
  wg::architecture fine = wg::sm_90;
  fine.carveouts_kb[8] = 227;
  EXPECT(wg::min_carveout_percent(fine, {32, 0, 0, 114 * 1024 - 1024}, 2) == 100);
  return true;
}
static_assert(test_threads_and_carveout());

/// The warps of all blocks are spread over the four quarters of an SM. Each quarter has 64 units of 8 registers per
/// lane.
constexpr int ptxas_cap(int threads, int blocks) {
  int const warps = (threads + 31) / 32 * blocks;
  int const warps_per_quarter = (warps + 3) / 4;
  int const cap = 64 / warps_per_quarter * 8;
  return cap < 255 ? cap : 255;
}
static_assert(ptxas_cap(128, 3) == 168);
static_assert(ptxas_cap(1024, 2) == 32);
static_assert(ptxas_cap(32, 1) == 255);

// ---- checks of one result -------------------------------------------------------------------------------------------

bool is_max_registers(wg::architecture const& row, int threads, int blocks, int answer) {
  if (answer == wg::impossible) {
    EXPECT(!fits(row, {threads, 1}, blocks));
    return true;
  }
  EXPECT(answer >= 1);
  EXPECT(fits(row, {threads, answer}, blocks));
  EXPECT(!fits(row, {threads, answer + 1}, blocks));
  return true;
}

bool is_max_shared_memory(wg::architecture const& row, wg::kernel_resources const& kernel, int blocks,
                          wg::shared_memory_config const& config, int answer) {
  if (answer == wg::impossible) {
    EXPECT(!fits(row, kernel, blocks, config));
  } else {
    // The split into static and dynamic memory does not matter.
    EXPECT(fits(row, with_bytes(kernel, 0, answer), blocks, config));
    EXPECT(fits(row, with_bytes(kernel, answer / 3, answer - answer / 3), blocks, config));
    EXPECT(!fits(row, with_bytes(kernel, 0, answer + 1), blocks, config));
  }
  if (may_fall_back(row, config)) {
    // Residency is not monotone here, so no larger amount may fit either; tried in steps of the allocation unit.
    for (int bytes = answer + 1; bytes <= row.shared_memory_per_sm; bytes += row.shared_allocation_unit) {
      EXPECT(!fits(row, with_bytes(kernel, 0, bytes), blocks, config));
    }
  }
  // One part is given, and the other one is searched.
  for (int taken : {0, 1, 100, 8192}) {
    int const rest = answer >= taken ? answer - taken : wg::impossible;
    EXPECT(wg::max_dynamic_bytes(row, with_bytes(kernel, taken, 12345), blocks, config) == rest);
    int const max_static = rest < row.max_shared_per_block_default ? rest : row.max_shared_per_block_default;
    EXPECT(wg::max_static_bytes(row, with_bytes(kernel, 12345, taken), blocks, config) == max_static);
  }
  return true;
}

bool is_max_threads(wg::architecture const& row, wg::kernel_resources kernel, int blocks, int answer) {
  if (answer != wg::impossible) {
    kernel.threads_per_block = answer;
    EXPECT(answer % 32 == 0);
    EXPECT(fits(row, kernel, blocks));
  }
  kernel.threads_per_block = answer == wg::impossible ? 1 : answer + 1;
  EXPECT(!fits(row, kernel, blocks));
  return true;
}

bool is_min_carveout(wg::architecture const& row, wg::kernel_resources const& kernel, int blocks, bool opt_in,
                     int answer) {
  auto const fits_at = [&](int percent) { return fits(row, kernel, blocks, {percent, no_preference, opt_in}); };
  if ((row.rules & wg::allocation_rule::carveouts) == 0) {
    EXPECT(answer == wg::impossible);
    return true;
  }
  if (answer == wg::impossible) {
    EXPECT(!fits_at(100));
    EXPECT(!fits_at(-1));
    return true;
  }
  EXPECT(fits_at(answer));
  for (int percent = 0; percent < answer; ++percent) EXPECT(!fits_at(percent));
  return true;
}

std::vector<int> block_sizes() {
  std::vector<int> sizes{1, 31, 33, 1023};
  for (int threads = 32; threads <= 1024; threads += 32) sizes.push_back(threads);
  for (int threads = 65; threads <= 1024; threads += 96) sizes.push_back(threads);
  return sizes;
}

}  // namespace

TEST_CASE("worked examples") {
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
        int const answer = wg::max_registers_per_thread(*row, threads, blocks);
        ++answers;
        impossible += answer == wg::impossible;
        if (!is_max_registers(*row, threads, blocks, answer)) {
          FAIL_CHECK("sm_", row->compute_capability, ", ", threads, " threads, ", blocks, " blocks: ", answer);
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
          int const answer = wg::max_shared_bytes(*row, kernel, blocks, config);
          ++answers;
          impossible += answer == wg::impossible;
          if (!is_max_shared_memory(*row, kernel, blocks, config, answer)) {
            FAIL_CHECK("sm_", row->compute_capability, ", ", kernel.threads_per_block, " threads, ", blocks,
                       " blocks, ", config.carveout_percent, " %, preference ", static_cast<int>(config.preference),
                       ": ", answer);
          }
        }
      }
    }
  }
  CHECK(impossible > 1000);
  CHECK(answers - impossible > 1000);
  MESSAGE(answers, " shared memory answers");
}

TEST_CASE("shared memory: a limit per block that is no multiple of the allocation unit") {
  // 8.0 with a reserve of 1000 bytes instead of 1024.
  wg::architecture row = wg::sm_80;
  row.reserved_shared_per_block = 1000;
  for (int blocks = 1; blocks <= 32; ++blocks) {
    for (bool opt_in : {true, false}) {
      wg::shared_memory_config const config{-1, no_preference, opt_in};
      int const answer = wg::max_shared_bytes(row, {32}, blocks, config);
      CHECK(fits(row, {32, 0, 0, answer}, blocks, config));
      CHECK_FALSE(fits(row, {32, 0, 0, answer + 1}, blocks, config));
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
            int const answer = wg::max_block_size(*row, kernel, blocks);
            ++answers;
            impossible += answer == wg::impossible;
            if (!is_max_threads(*row, kernel, blocks, answer)) {
              FAIL_CHECK("sm_", row->compute_capability, ", ", registers, " registers, ", bytes, " B, ", blocks,
                         " blocks: ", answer);
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
          int const answer = wg::min_carveout_percent(*row, kernel, blocks, opt_in);
          ++answers;
          if (!is_min_carveout(*row, kernel, blocks, opt_in, answer)) {
            FAIL_CHECK("sm_", row->compute_capability, ", ", bytes, " B, ", blocks, " blocks: ", answer);
          }
        }
      }
    }
  }
  MESSAGE(answers, " carve-out answers");
}

TEST_CASE("any int is a valid input") {
  inputs::random_source random(17);
  for (int i = 0; i < 20000; ++i) {
    inputs::model_input const input = inputs::hostile(random);
    int const blocks = random.between(0, 1) == 0 ? random.extreme() : random.any_int();
    for (int wanted : {blocks, 1}) {
      int const registers = wg::max_registers_per_thread(*input.row, input.kernel.threads_per_block, wanted);
      int const bytes = wg::max_shared_bytes(*input.row, input.kernel, wanted, input.config);
      int const dynamic = wg::max_dynamic_bytes(*input.row, input.kernel, wanted, input.config);
      int const fixed = wg::max_static_bytes(*input.row, input.kernel, wanted, input.config);
      int const threads = wg::max_block_size(*input.row, input.kernel, wanted, input.config);
      int const percent = wg::min_carveout_percent(*input.row, input.kernel, wanted, input.config.opt_in);
      for (int answer : {registers, bytes, dynamic, fixed, threads, percent}) {
        if (answer < wg::impossible) REQUIRE(answer >= wg::impossible);
      }
      if (wanted < 1 || wanted > input.row->max_blocks_per_sm) {
        for (int answer : {registers, bytes, dynamic, fixed, threads, percent}) REQUIRE(answer == wg::impossible);
      }
    }
  }
}

TEST_CASE("synthetic architectures") {
  inputs::random_source random(19);
  long fitting = 0;
  for (int i = 0; i < 100000; ++i) {
    wg::architecture row = inputs::synthetic_architecture(random);
    inputs::model_input input = random.between(0, 3) == 0 ? inputs::hostile(random) : inputs::plausible(random);
    if (random.between(0, 1) == 0) input.kernel = {random.between(1, row.max_threads_per_block)};
    int const blocks = random.between(1, row.max_blocks_per_sm < 40 ? row.max_blocks_per_sm : 40);
    int const registers = wg::max_registers_per_thread(row, input.kernel.threads_per_block, blocks);
    int const bytes = wg::max_shared_bytes(row, input.kernel, blocks, input.config);
    fitting += bytes != wg::impossible;
    auto const is_max_bytes = [&] {
      auto const fits_with = [&](int wanted) {
        return fits(row, with_bytes(input.kernel, 0, wanted), blocks, input.config);
      };
      if (bytes == wg::impossible) {
        EXPECT(!fits_with(0));
        return true;
      }
      EXPECT(fits_with(bytes));
      EXPECT(!fits_with(bytes + 1));
      EXPECT(!fits_with(bytes + row.shared_allocation_unit));
      return true;
    };
    if (!is_max_registers(row, input.kernel.threads_per_block, blocks, registers) || !is_max_bytes()) {
      FAIL("number ", i, ": ", blocks, " blocks: ", registers, " registers, ", bytes, " bytes");
    }
    // An inconsistent row has no result.
    inputs::cell(row, random.between(1, 16)) = random.extreme();
    if (wg::is_valid(row)) continue;
    REQUIRE(wg::max_registers_per_thread(row, 32, 1) == wg::impossible);
    REQUIRE(wg::max_shared_bytes(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::max_dynamic_bytes(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::max_static_bytes(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::max_block_size(row, {32}, 1) == wg::impossible);
    REQUIRE(wg::min_carveout_percent(row, {32}, 1) == wg::impossible);
  }
  CHECK(fitting > 1000);
}
