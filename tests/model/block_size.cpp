// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares suggest_block_size() with a simple search, which calls occupancy_of() for every block size.
/// oracle/block_size.cpp compares it with NVIDIA's search.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/block_size.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <vector>

namespace wg = warpguard;

namespace {

struct bytes_of {
  int once = 0;
  int per_thread = 0;
  constexpr int operator()(int threads) const { return once + per_thread * threads; }
};

/// Tries every block size in ascending order.
int simple_search(wg::architecture const& row, wg::kernel_resources const& kernel, bytes_of const* more,
                  wg::block_size_limits const& limits, wg::shared_memory_config const& config) {
  if (!wg::is_valid(row) || limits.at_most < 0 || limits.multiple_of < 0 || limits.divisor_of < 0) return -1;
  int best = -1;
  long long best_resident = 0;
  for (int threads = 1; threads <= row.max_threads_per_block; ++threads) {
    if (limits.at_most > 0 && threads > limits.at_most) break;
    bool const is_limit = threads == limits.at_most || threads == row.max_threads_per_block;
    bool const is_multiple =
        limits.multiple_of > 0 ? threads % limits.multiple_of == 0 : threads % row.warp_size == 0 || is_limit;
    if (!is_multiple || (limits.divisor_of > 0 && limits.divisor_of % threads != 0)) continue;
    wg::kernel_resources candidate = kernel;
    candidate.threads_per_block = threads;
    if (more != nullptr) {
      long long const bytes = 0LL + kernel.dynamic_shared_memory + (*more)(threads);
      if ((*more)(threads) < 0 || bytes > INT_MAX) continue;
      candidate.dynamic_shared_memory = static_cast<int>(bytes);
    }
    long long const resident = wg::occupancy_of(row, candidate, config).threads_per_sm;
    if (resident > 0 && resident >= best_resident) {
      best_resident = resident;
      best = threads;
    }
  }
  return best;
}

constexpr bool test_block_sizes() {
  // 40 registers allow 48 warps, which blocks of 24 warps and of 16 warps fill; the larger block wins.
  EXPECT(wg::suggest_block_size(wg::sm_90, {0, 40}) == 768);
  EXPECT(wg::suggest_block_size(wg::sm_90, {0, 32}) == 1024);
  // The SM holds 1536 threads; blocks of 1024 leave a third of them unused.
  EXPECT(wg::suggest_block_size(wg::sm_86, {0}) == 768);
  // The threads of the given kernel do not matter.
  EXPECT(wg::suggest_block_size(wg::sm_86, {INT_MIN, 32}) == wg::suggest_block_size(wg::sm_86, {100, 32}));
  // 16 bytes per thread and 1 KiB per block share 100 KiB.
  EXPECT(wg::suggest_block_size(wg::sm_86, {0, 32}, bytes_of{0, 16}) == 768);
  return true;
}
static_assert(test_block_sizes());

constexpr bool test_limits() {
  wg::kernel_resources const kernel{0, 32};
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {256}) == 256);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {5000}) == 1024);
  // As in NVIDIA's search, at_most itself may be no multiple of a warp; multiple_of is always observed.
  wg::kernel_resources const alone{0, 0, 0, 0, 40};  // 40 of 64 barriers: one block per SM
  EXPECT(wg::suggest_block_size(wg::sm_90, alone, {500}) == 500);
  EXPECT(wg::suggest_block_size(wg::sm_90, alone, {500, 32}) == 480);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {20}) == 20);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {20, 32}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, 96}) == 672);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, 0, 640}) == 128);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, 1, 100}) == 100);
  return true;
}
static_assert(test_limits());

constexpr bool test_impossible() {
  wg::kernel_resources const kernel{0, 32};
  EXPECT(wg::suggest_block_size(wg::sm_90, {0, 256}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, {0, -1}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, {0, 0, 0, 232449}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, {0, 0, 0, 0, 65}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, bytes_of{-1, 0}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {-1}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, -32}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, 0, -1}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, 2048}) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {0, 0, 31}) == wg::impossible);
  EXPECT(wg::suggest_block_size({}, kernel) == wg::impossible);
  EXPECT(wg::suggest_block_size(wg::sm_90, kernel, {}, {101}) == wg::impossible);
  return true;
}
static_assert(test_impossible());

TEST_CASE("worked examples") {
  CHECK(test_block_sizes());
  CHECK(test_limits());
  CHECK(test_impossible());
}

TEST_CASE("a function for the bytes is called at most once per block size, in descending order") {
  std::vector<int> sizes;
  int const threads = wg::suggest_block_size(wg::sm_80, {0, 64}, [&sizes](int size) {
    sizes.push_back(size);
    return size * 40;
  });
  CHECK(threads > 0);
  for (std::size_t i = 1; i < sizes.size(); ++i) CHECK(sizes[i] < sizes[i - 1]);
  CHECK(sizes.size() <= 32);
}

TEST_CASE("every register count on every architecture") {
  for (wg::architecture const* row : wg::architectures) {
    for (int registers = 0; registers <= 257; ++registers) {
      wg::kernel_resources const kernel{1, registers};
      int const expected = simple_search(*row, kernel, nullptr, {}, {});
      if (wg::suggest_block_size(*row, kernel) != expected) {
        INFO("sm_", row->compute_capability, ", ", registers, " registers");
        CHECK(wg::suggest_block_size(*row, kernel) == expected);
      }
    }
  }
}

TEST_CASE("random kernels, limits and shared memory") {
  inputs::random_source random(23);
  long possible = 0;
  for (int i = 0; i < 20000; ++i) {
    inputs::model_input const input = inputs::plausible(random);
    wg::block_size_limits limits;
    if (random.between(0, 2) == 0) limits.at_most = random.between(1, 1100);
    if (random.between(0, 2) == 0) limits.multiple_of = random.between(1, random.between(0, 1) == 0 ? 8 : 400);
    if (random.between(0, 2) == 0) limits.divisor_of = 32 * random.between(1, 64) * random.between(1, 9);
    bytes_of const more{random.between(-10, 3000), random.between(0, 40)};
    bool const varies = random.between(0, 1) == 0;
    int const expected = simple_search(*input.row, input.kernel, varies ? &more : nullptr, limits, input.config);
    int const answer = varies ? wg::suggest_block_size(*input.row, input.kernel, more, limits, input.config)
                              : wg::suggest_block_size(*input.row, input.kernel, limits, input.config);
    possible += expected > 0;
    if (answer != expected) {
      INFO("number ", i, ", sm_", input.row->compute_capability);
      REQUIRE(answer == expected);
    }
  }
  CHECK(possible > 5000);
}

TEST_CASE("synthetic architectures") {
  inputs::random_source random(29);
  for (int i = 0; i < 3000; ++i) {
    wg::architecture row = inputs::synthetic_architecture(random);
    row.max_threads_per_block = row.max_threads_per_block < 3000 ? row.max_threads_per_block : random.between(1, 3000);
    inputs::model_input const input = inputs::plausible(random);
    bytes_of const more{random.between(0, 300), random.between(0, 4)};
    if (!wg::is_valid(row)) continue;
    int const expected = simple_search(row, input.kernel, i % 2 == 0 ? &more : nullptr, {}, input.config);
    int const answer = i % 2 == 0 ? wg::suggest_block_size(row, input.kernel, more, {}, input.config)
                                  : wg::suggest_block_size(row, input.kernel, {}, input.config);
    if (answer != expected) {
      INFO("number ", i);
      REQUIRE(answer == expected);
    }
  }
}

TEST_CASE("any int is a valid input") {
  inputs::random_source random(31);
  auto const any = [&random] { return random.between(0, 1) == 0 ? random.extreme() : random.any_int(); };
  for (int i = 0; i < 100000; ++i) {
    inputs::model_input const input = inputs::hostile(random);
    wg::block_size_limits const limits{any(), random.between(0, 1) * any(), random.between(0, 1) * any()};
    int const more = any();
    int const fixed = wg::suggest_block_size(*input.row, input.kernel, limits, input.config);
    int const varying = wg::suggest_block_size(
        *input.row, input.kernel, [more](int) { return more; }, limits, input.config);
    for (int answer : {fixed, varying}) {
      if (answer == wg::impossible) continue;
      REQUIRE(answer >= 1);
      REQUIRE(answer <= input.row->max_threads_per_block);
    }
    if (more < 0) REQUIRE(varying == wg::impossible);
  }
}

}  // namespace
