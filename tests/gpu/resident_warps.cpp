// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests what is computed from the times of warps. The times are made up.

#include "resident_warps.hpp"

#include <doctest/doctest.h>

using gpu_test::find_residency;
using gpu_test::residency_seen;

TEST_CASE("warps that overlap are resident together") {
  // Two blocks of two warps on SM 0. In cycles 100 to 110 there are 2 warps, to 120 there are 4, to 130 again 2.
  residency_seen const seen = find_residency({{100, 120, 0}, {100, 120, 0}, {110, 130, 0}, {110, 130, 0}}, 2);
  CHECK(seen.warps == 4);
  CHECK(seen.max_blocks == 2);
  CHECK(seen.mean_warps == doctest::Approx(80.0 / 30));
}

TEST_CASE("a block that begins when another ends is not resident with it") {
  residency_seen const seen = find_residency({{100, 120, 0}, {120, 140, 0}}, 1);
  CHECK(seen.max_blocks == 1);
  CHECK(seen.mean_warps == doctest::Approx(1));
  CHECK(find_residency({{100, 121, 0}, {120, 140, 0}}, 1).max_blocks == 2);
}

TEST_CASE("the cycles in which an SM has no warp do not count") {
  residency_seen const seen = find_residency({{100, 110, 0}, {1000, 1010, 0}}, 1);
  CHECK(seen.mean_warps == doctest::Approx(1));
}

TEST_CASE("each SM has its own clock") {
  // At equal times on two SMs; then at other times.
  CHECK(find_residency({{100, 120, 0}, {100, 120, 1}}, 1).max_blocks == 1);
  residency_seen const seen = find_residency({{100, 120, 7}, {100, 120, 7}, {5000, 5040, 3}}, 1);
  CHECK(seen.max_blocks == 2);
  CHECK(seen.mean_warps == doctest::Approx(80.0 / 60));  // 2 warps for 20 cycles, 1 for 40
}

TEST_CASE("a block is resident from its first warp to its last") {
  residency_seen const seen = find_residency({{100, 110, 0}, {130, 140, 0}, {115, 120, 0}, {115, 120, 0}}, 2);
  CHECK(seen.max_blocks == 2);
}

TEST_CASE("warps that wrote nothing are not counted") {
  residency_seen const seen = find_residency({{100, 120, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 2);
  CHECK(seen.warps == 1);
  CHECK(seen.max_blocks == 1);
  CHECK(find_residency({{0, 0, 0}}, 1).mean_warps == 0);
  CHECK(find_residency({}, 4).warps == 0);
}

TEST_CASE("the last block may be cut") { CHECK(find_residency({{1, 5, 0}, {1, 5, 0}, {1, 5, 0}}, 2).max_blocks == 2); }
