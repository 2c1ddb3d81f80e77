// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests an unsorted list of targets with duplicates. The other files of this program have other targets, so everything
/// here is computed at compile time.

#undef WARPGUARD_TARGETS
#define WARPGUARD_TARGETS 1200, 750, 900, 750, 860, 1200, 900

#include <warpguard/contract/contract.hpp>
#include <warpguard/contract/guarantee.hpp>
#include <warpguard/contract/targets.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace wg = warpguard;

namespace {

constexpr bool test_sorted_without_duplicates() {
  return std::is_same_v<wg::build_target_list, wg::target_list<75, 86, 90, 120>>;
}
static_assert(test_sorted_without_duplicates());

struct unsorted_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<4>> {};
static_assert(wg::guarantee<unsorted_contract>);

}  // namespace

TEST_CASE("an unsorted list of targets is sorted, and duplicates are removed") {
  CHECK(test_sorted_without_duplicates());
}
