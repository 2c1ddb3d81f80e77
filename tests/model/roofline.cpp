// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the roofline by hand and against floating point.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/model/capacity.hpp>
#include <warpguard/model/roofline.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <climits>
#include <cmath>

namespace wg = warpguard;

namespace {

constexpr wg::roofline a100{19500, 1555};  // FP32 in GFLOP/s, 40 GB in GB/s: the data sheet's

constexpr bool test_by_hand() {
  // saxpy: 2 operations for 12 bytes. 1555 / 6 = 259.17.
  EXPECT(wg::attainable_gigaoperations(a100, {2, 12}) == 259);
  EXPECT(wg::is_bound_by_memory(a100, {2, 12}));
  // A product of 4096 x 4096 matrices of floats: 2 * 4096^3 operations for 3 * 4 * 4096^2 bytes.
  EXPECT(wg::attainable_gigaoperations(a100, {2LL * 4096 * 4096 * 4096, 12LL * 4096 * 4096}) == 19500);
  EXPECT(!wg::is_bound_by_memory(a100, {2LL * 4096 * 4096 * 4096, 12LL * 4096 * 4096}));
  // The ridge: 19500 operations for 1555 bytes. One operation fewer is below it.
  EXPECT(wg::attainable_gigaoperations(a100, {19500, 1555}) == 19500);
  EXPECT(!wg::is_bound_by_memory(a100, {19500, 1555}));
  EXPECT(wg::attainable_gigaoperations(a100, {19499, 1555}) == 19499);
  EXPECT(wg::is_bound_by_memory(a100, {19499, 1555}));
  EXPECT(wg::is_bound_by_memory(a100, {19500000000000 - 1, 1555000000000}));
  EXPECT(wg::attainable_gigaoperations(a100, {0, 12}) == 0);
  EXPECT(wg::attainable_gigaoperations(a100, {-1, 12}) == wg::impossible);
  EXPECT(wg::attainable_gigaoperations(a100, {2, 0}) == wg::impossible);
  EXPECT(wg::attainable_gigaoperations({0, 1555}, {2, 12}) == wg::impossible);
  EXPECT(wg::attainable_gigaoperations({19500, 0}, {2, 12}) == wg::impossible);
  EXPECT(!wg::is_bound_by_memory(a100, {2, 0}));
  EXPECT(wg::attainable_gigaoperations({INT_MAX, INT_MAX}, {LLONG_MAX, 1}) == INT_MAX);
  EXPECT(wg::attainable_gigaoperations({INT_MAX, INT_MAX}, {LLONG_MAX, LLONG_MAX}) == INT_MAX);
  EXPECT(wg::attainable_gigaoperations({INT_MAX, INT_MAX}, {LLONG_MAX - 1, LLONG_MAX}) == INT_MAX - 1);
  EXPECT(wg::attainable_gigaoperations({INT_MAX, INT_MAX}, {1, LLONG_MAX}) == 0);
  return true;
}
static_assert(test_by_hand());

constexpr bool test_multiply_divide() {
  using wg::detail::multiply_divide;
  EXPECT(multiply_divide(7, 3, 2, 100) == 10);
  EXPECT(multiply_divide(7, 3, 2, 9) == 9);
  EXPECT(multiply_divide(7, 0, 2, 9) == 0);
  EXPECT(multiply_divide(LLONG_MAX, INT_MAX, LLONG_MAX, LLONG_MAX) == INT_MAX);
  EXPECT(multiply_divide(LLONG_MAX, INT_MAX, 1, LLONG_MAX) == LLONG_MAX);
  EXPECT(multiply_divide(LLONG_MAX, 1, 1, LLONG_MAX) == LLONG_MAX);
  // With the digits 101 of 5, the quotient passes 2^63 at the last.
  EXPECT(multiply_divide(LLONG_MAX, 5, 2, LLONG_MAX) == LLONG_MAX);
  EXPECT(multiply_divide(LLONG_MAX, 10, 4, LLONG_MAX) == LLONG_MAX);
  EXPECT(multiply_divide(LLONG_MAX, 3 << 29, LLONG_MAX / 2, LLONG_MAX) == 2LL * (3 << 29));
  EXPECT(multiply_divide(LLONG_MAX - 1, INT_MAX, LLONG_MAX, LLONG_MAX) == INT_MAX - 1);
  return true;
}
static_assert(test_multiply_divide());

}  // namespace

TEST_CASE("worked examples") {
  CHECK(test_by_hand());
  CHECK(test_multiply_divide());
}

TEST_CASE("equal to floating point where that is exact enough") {
  inputs::random_source random(9);
  for (int round = 0; round < 20000; ++round) {
    wg::roofline const roof{random.between(1, 100000), random.between(1, 10000)};
    wg::kernel_work const work{random.between(0, 1 << 30), random.between(1, 1 << 30)};
    // Below 2^53 products are exact.
    double const by_bytes =
        std::floor(static_cast<double>(work.operations) * roof.gigabytes_per_second / static_cast<double>(work.bytes));
    double const expected = std::min(by_bytes, static_cast<double>(roof.gigaoperations_per_second));
    CHECK(wg::attainable_gigaoperations(roof, work) == static_cast<int>(expected));
  }
}
