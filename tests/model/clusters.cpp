// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares the cluster limits with a second list, and the estimate of active clusters with clusters that are placed
/// one by one.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/clusters.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <climits>

namespace wg = warpguard;

namespace {

using support = wg::cluster_support;

constexpr bool test_limits() {
  for (wg::architecture const* row : wg::architectures) {
    int const capability = row->compute_capability;
    bool const has_clusters = capability >= 90;
    EXPECT(wg::max_cluster_size(*row) == (has_clusters ? 8 : 1));
    int const published = capability == 90 || capability == 100 ? 16 : capability == 120 ? 8 : has_clusters ? -1 : 1;
    EXPECT(wg::max_cluster_size(*row, true) == published);
  }
  EXPECT(wg::max_cluster_size({}) == wg::impossible);
  EXPECT(wg::max_cluster_size({}, true) == wg::impossible);
  return true;
}
static_assert(test_limits());

constexpr bool test_support() {
  EXPECT(wg::support_of_cluster(wg::sm_80, 1) == support::portable);
  EXPECT(wg::support_of_cluster(wg::sm_80, 2) == support::refused);
  EXPECT(wg::support_of_cluster(wg::sm_90, 8) == support::portable);
  EXPECT(wg::support_of_cluster(wg::sm_90, 9) == support::nonportable);
  EXPECT(wg::support_of_cluster(wg::sm_90, 16) == support::nonportable);
  EXPECT(wg::support_of_cluster(wg::sm_90, 17) == support::refused);
  EXPECT(wg::support_of_cluster(wg::sm_103, 8) == support::portable);
  EXPECT(wg::support_of_cluster(wg::sm_103, 9) == support::unknown);
  EXPECT(wg::support_of_cluster(wg::sm_120, 9) == support::refused);
  EXPECT(wg::support_of_cluster({}, 1) == support::refused);
  EXPECT(wg::support_of_cluster(wg::sm_90, 0) == support::refused);
  return true;
}
static_assert(test_support());

constexpr bool test_estimate() {
  // One block per SM: a GPC of 16 or 18 SMs has room for 4 clusters of 4 blocks.
  wg::kernel_resources const gemm{384, 168};
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 4, 18, 7) == 28);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 4, 1024, 1024) == 262144);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 4, 1025, 1) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 4, 1, 1025) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 4, 16, 7) == 28);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 16, 18, 7) == 7);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 16, 15, 7) == 0);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 17, 18, 7) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_103, gemm, 17, 18, 7) == 7);
  EXPECT(wg::estimated_active_clusters(wg::sm_80, gemm, 2, 16, 7) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, {1025}, 2, 16, 7) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 2, 0, 7) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 2, 16, -1) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 2, 1025, 1) == wg::impossible);
  EXPECT(wg::estimated_active_clusters(wg::sm_90, gemm, 2, 16, INT_MAX) == wg::impossible);
  return true;
}
static_assert(test_estimate());

constexpr bool test_max_active() {
  wg::kernel_resources const gemm{384, 168};  // one block per SM
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 4, 132) == 33);
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 4, 1048576) == 262144);
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 4, 1048577) == wg::impossible);
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 4, 131) == 32);
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 16, 15) == 0);
  EXPECT(wg::max_active_clusters(wg::sm_90, {256, 32}, 2, 10) == 40);
  EXPECT(wg::max_active_clusters(wg::sm_80, gemm, 1, 108) == 108);
  EXPECT(wg::max_active_clusters(wg::sm_80, gemm, 2, 108) == wg::impossible);
  EXPECT(wg::max_active_clusters(wg::sm_90, {1025}, 2, 132) == wg::impossible);
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 2, 0) == wg::impossible);
  EXPECT(wg::max_active_clusters(wg::sm_90, gemm, 2, INT_MAX) == wg::impossible);
  return true;
}
static_assert(test_max_active());

/// Counts clusters by placing one after another in each GPC.
int place(int blocks_per_sm, int cluster_size, int sms_per_gpc, int gpcs) {
  int clusters = 0;
  for (int gpc = 0; gpc < gpcs; ++gpc) {
    int left = 0;
    for (int sm = 0; sm < sms_per_gpc; ++sm) left += blocks_per_sm;
    for (; left >= cluster_size; left -= cluster_size) ++clusters;
  }
  return clusters;
}

TEST_CASE("worked examples") {
  CHECK(test_limits());
  CHECK(test_support());
  CHECK(test_estimate());
  CHECK(test_max_active());
}

TEST_CASE("the estimate equals the number of clusters that are placed one by one") {
  inputs::random_source random(59);
  for (int i = 0; i < 20000; ++i) {
    wg::architecture const& row = *wg::architectures[random.between(24, 30)];
    wg::kernel_resources const kernel{random.between(1, 1024), random.between(0, 64)};
    int const size = random.between(1, 8);
    int const sms = random.between(1, 20);
    int const gpcs = random.between(1, 12);
    int const blocks = wg::occupancy_of(row, kernel).blocks_per_sm;
    REQUIRE(wg::estimated_active_clusters(row, kernel, size, sms, gpcs) == place(blocks, size, sms, gpcs));
    REQUIRE(wg::estimated_active_clusters(row, kernel, size, sms, gpcs) <=
            wg::max_active_clusters(row, kernel, size, sms * gpcs));
  }
}

TEST_CASE("any int is a valid input") {
  inputs::random_source random(61);
  for (int i = 0; i < 200000; ++i) {
    inputs::model_input const input = inputs::hostile(random);
    wg::architecture const row = random.between(0, 1) == 0 ? *input.row : inputs::synthetic_architecture(random);
    auto const any = [&random] { return random.between(0, 1) == 0 ? random.extreme() : random.between(1, 1100); };
    int const size = any();
    int const answer = wg::estimated_active_clusters(row, input.kernel, size, any(), any(), input.config);
    REQUIRE(answer >= wg::impossible);
    REQUIRE(wg::max_active_clusters(row, input.kernel, size, any(), input.config) >= wg::impossible);
    if (wg::support_of_cluster(row, size) == support::refused) REQUIRE(answer == wg::impossible);
  }
}

}  // namespace
