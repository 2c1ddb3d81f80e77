// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the list of targets. Compiled with WARPGUARD_TARGETS=750,800,860,890,900,1000,1200; targets_unsorted.cpp has
/// an unsorted list.

#include "../check.hpp"

#include <warpguard/contract/targets.hpp>
#include <warpguard/hana.hpp>

#include <doctest/doctest.h>
#include <boost/hana/at.hpp>
#include <boost/hana/back.hpp>
#include <boost/hana/count_if.hpp>
#include <boost/hana/find_if.hpp>
#include <boost/hana/fold_left.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/front.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/optional.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/unpack.hpp>

#include <initializer_list>
#include <type_traits>

namespace wg = warpguard;
namespace hana = boost::hana;

namespace {

template <class Architecture>
constexpr int capability(Architecture) {
  return Architecture::compute_capability;
}

constexpr bool test_targets_are_a_hana_tuple() {
  static_assert(decltype(hana::length(wg::targets))::value == 7);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::front(wg::targets))>, wg::sm<75>>);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::at_c<2>(wg::targets))>, wg::sm<86>>);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::back(wg::targets))>, wg::sm<120>>);
  return std::is_same_v<wg::build_target_list, wg::target_list<75, 80, 86, 89, 90, 100, 120>>;
}
static_assert(test_targets_are_a_hana_tuple());

constexpr bool test_hana_algorithms() {
  int sum = 0;
  hana::for_each(wg::targets, [&sum](auto architecture) { sum += capability(architecture); });
  EXPECT(sum == 75 + 80 + 86 + 89 + 90 + 100 + 120);

  constexpr auto warps =
      hana::transform(wg::targets, [](auto architecture) { return architecture.limits().max_warps_per_sm; });
  EXPECT(hana::at_c<0>(warps) == 32);
  EXPECT(hana::at_c<1>(warps) == 64);
  EXPECT(hana::at_c<6>(warps) == 48);

  constexpr auto with_clusters = hana::find_if(wg::targets, [](auto architecture) {
    return hana::bool_c<(decltype(architecture)::limits().max_cluster_portable > 1)>;
  });
  static_assert(decltype(hana::is_just(with_clusters))::value);
  EXPECT(capability(*with_clusters) == 90);

  int const fewest_blocks = hana::fold_left(wg::targets, 1 << 20, [](int fewest, auto architecture) {
    int const blocks = architecture.limits().max_blocks_per_sm;
    return blocks < fewest ? blocks : fewest;
  });
  EXPECT(fewest_blocks == 16);
  return true;
}
static_assert(test_hana_algorithms());

constexpr bool is_the_row(wg::architecture const& limits, wg::architecture const& row) {
  EXPECT(limits.compute_capability == row.compute_capability);
  EXPECT(limits.max_blocks_per_sm == row.max_blocks_per_sm);
  EXPECT(limits.shared_memory_per_sm == row.shared_memory_per_sm);
  EXPECT(limits.rules == row.rules);
  return true;
}

constexpr bool test_limits_of_an_architecture() {
  EXPECT(is_the_row(wg::sm<10>::limits(), wg::sm_10));
  EXPECT(is_the_row(wg::sm<90>::limits(), wg::sm_90));
  EXPECT(is_the_row(wg::sm<121>::limits(), wg::sm_121));
  EXPECT(wg::sm<86>::compute_capability == 86);
  return true;
}
static_assert(test_limits_of_an_architecture());

using wg::detail::targets_in;

constexpr bool is_list_of(wg::detail::read_targets const& list, std::initializer_list<int> expected) {
  EXPECT(list.is_list);
  EXPECT(list.wrong_count == 0);
  EXPECT(list.count == static_cast<int>(expected.size()));
  int index = 0;
  for (int value : expected) {
    EXPECT(list.compute_capability[index++] == value);
  }
  return true;
}

constexpr bool test_lists_are_sorted_without_duplicates() {
  EXPECT(is_list_of(wg::detail::read_targets{}, {}));
  EXPECT(is_list_of(targets_in("900"), {90}));
  EXPECT(is_list_of(targets_in("750,900"), {75, 90}));
  EXPECT(is_list_of(targets_in("900, 750"), {75, 90}));
  EXPECT(is_list_of(targets_in(" 900 ,900,900 "), {90}));
  EXPECT(is_list_of(targets_in("1200,750,900,750,1000,1200,200"), {20, 75, 90, 100, 120}));
  EXPECT(is_list_of(targets_in("860,750,800,750,900,860"), {75, 80, 86, 90}));
  EXPECT(is_list_of(targets_in("750,900", "860,900"), {75, 86, 90}));
  return true;
}
static_assert(test_lists_are_sorted_without_duplicates());

constexpr bool test_a_full_list() {
  // 64 entries are the maximum.
  wg::detail::read_targets const full = targets_in(
      "830,820,810,800,790,780,770,760,750,740,730,720,710,700,690,680,670,660,650,640,630,620,610,600,590,580,570,560,"
      "550,540,530,520,510,500,490,480,470,460,450,440,430,420,410,400,390,380,370,360,350,340,330,320,310,300,290,280,"
      "270,260,250,240,230,220,210,200");
  EXPECT(full.count == 64);
  EXPECT(full.given == 64);
  EXPECT(full.compute_capability[0] == 20);
  EXPECT(full.compute_capability[63] == 83);
  return true;
}
static_assert(test_a_full_list());

constexpr bool test_malformed_lists() {
  for (char const* text :
       {"",        " ",           "750;900", "sm_90", "9.0", "750,",  ",750", "750,,900", "90a",     "-750",
        "750 900", "\"750,900\"", "all",     "1",     ",",   "750 ,", "900u", "0x384",    "7.5,9.0", "(750,900)"}) {
    // The text 1 is that of -DWARPGUARD_TARGETS without a value. A text that is no list is refused as such; none of its
    // numbers is refused as well, or becomes a target.
    wg::detail::read_targets const list = targets_in("800", text);
    EXPECT(!list.is_list);
    EXPECT(list.is_refused());
    EXPECT(list.wrong_count == 0);
    EXPECT(list.count == 1);
  }
  EXPECT(!targets_in("800").is_refused());
  EXPECT(targets_in("75").is_refused());
  return true;
}
static_assert(test_malformed_lists());

constexpr bool test_wrong_numbers() {
  // Every wrong number is reported and is no target: 905 must not be read as 9.0, nor 120 as 1.2.
  wg::detail::read_targets const list = targets_in("905,900,120,75");
  EXPECT(list.wrong_count == 3);
  EXPECT(list.wrong[0] == 905);
  EXPECT(list.wrong[1] == 120);
  EXPECT(list.wrong[2] == 75);
  EXPECT(list.count == 1);
  EXPECT(list.compute_capability[0] == 90);
  EXPECT(targets_in("0").wrong[0] == 0);
  EXPECT(targets_in("2").wrong[0] == 2);
  EXPECT(targets_in("99999999999").wrong_count == 1);
  EXPECT(targets_in("1,2,3,4,5,6,7,8,9,10").wrong_count == wg::detail::max_wrong);
  return true;
}
static_assert(test_wrong_numbers());

static_assert(wg::detail::device_pass == 0, "the host pass has no architecture");

}  // namespace

TEST_CASE("the targets are a Hana tuple of architectures in ascending order") {
  CHECK(test_targets_are_a_hana_tuple());
}
TEST_CASE("Hana algorithms accept the targets") { CHECK(test_hana_algorithms()); }
TEST_CASE("the limits of an architecture's type are its row of the table") { CHECK(test_limits_of_an_architecture()); }
TEST_CASE("a list of targets is sorted and has no duplicates") {
  CHECK(test_lists_are_sorted_without_duplicates());
  CHECK(test_a_full_list());
}
TEST_CASE("malformed lists, and numbers that are no compute capability") {
  CHECK(test_malformed_lists());
  CHECK(test_wrong_numbers());
}

TEST_CASE("a loop visits the targets at run time") {
  int visited = 0;
  hana::for_each(wg::targets, [&visited](auto architecture) {
    wg::architecture const* row = wg::find_architecture(architecture.compute_capability);
    REQUIRE(row != nullptr);
    CHECK(is_the_row(architecture.limits(), *row));
    ++visited;
  });
  CHECK(visited == 7);
}
