// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A list of targets as a careless build writes it. Everything here is decided by the compiler: another unit of this
/// program has other targets.

#undef WARPGUARD_TARGETS
#define WARPGUARD_TARGETS 1200, 750, 900, 750, 860, 1200, 900

#include <warpguard/contract/contract.hpp>
#include <warpguard/contract/guarantee.hpp>
#include <warpguard/contract/targets.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace wg = warpguard;

namespace {

constexpr bool test_sorted_and_each_once() {
  return std::is_same_v<wg::build_target_list, wg::target_list<75, 86, 90, 120>>;
}
static_assert(test_sorted_and_each_once());

struct unsorted_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<4>> {};
static_assert(wg::guarantee<unsorted_contract>);

}  // namespace

TEST_CASE("an unsorted list of targets with duplicates is sorted and holds each once") {
  CHECK(test_sorted_and_each_once());
}
