// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiled with WARPGUARD_TARGETS=750,800,860,890,900,1000,1200; an unsorted list is in targets_unsorted.cpp.

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

constexpr bool test_a_hana_tuple_of_architectures() {
  static_assert(decltype(hana::length(wg::targets))::value == 7);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::front(wg::targets))>, wg::sm<75>>);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::at_c<2>(wg::targets))>, wg::sm<86>>);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::back(wg::targets))>, wg::sm<120>>);
  return std::is_same_v<wg::build_target_list, wg::target_list<75, 80, 86, 89, 90, 100, 120>>;
}
static_assert(test_a_hana_tuple_of_architectures());

constexpr bool test_hana_algorithms_take_it() {
  int sum = 0;
  hana::for_each(wg::targets, [&sum](auto architecture) { sum += capability(architecture); });
  if (sum != 75 + 80 + 86 + 89 + 90 + 100 + 120) return false;

  constexpr auto warps =
      hana::transform(wg::targets, [](auto architecture) { return architecture.limits().max_warps_per_sm; });
  if (hana::at_c<0>(warps) != 32 || hana::at_c<1>(warps) != 64 || hana::at_c<6>(warps) != 48) return false;

  constexpr auto with_clusters = hana::find_if(wg::targets, [](auto architecture) {
    return hana::bool_c<(decltype(architecture)::limits().max_cluster_portable > 1)>;
  });
  static_assert(decltype(hana::is_just(with_clusters))::value);
  if (capability(*with_clusters) != 90) return false;

  int const fewest = hana::fold_left(wg::targets, 1 << 20, [](int least, auto architecture) {
    int const here = architecture.limits().max_blocks_per_sm;
    return here < least ? here : least;
  });
  return fewest == 16;
}
static_assert(test_hana_algorithms_take_it());

constexpr bool is_the_row(wg::architecture const& limits, wg::architecture const& row) {
  return limits.compute_capability == row.compute_capability && limits.max_blocks_per_sm == row.max_blocks_per_sm &&
         limits.shared_memory_per_sm == row.shared_memory_per_sm && limits.rules == row.rules;
}

constexpr bool test_an_architecture_has_its_row() {
  return is_the_row(wg::sm<10>::limits(), wg::sm_10) && is_the_row(wg::sm<90>::limits(), wg::sm_90) &&
         is_the_row(wg::sm<121>::limits(), wg::sm_121) && wg::sm<86>::compute_capability == 86;
}
static_assert(test_an_architecture_has_its_row());

using wg::detail::targets_in;

constexpr bool are(wg::detail::read_targets const& list, std::initializer_list<int> wanted) {
  if (!list.is_list || list.wrong_count != 0 || list.count != static_cast<int>(wanted.size())) return false;
  int index = 0;
  for (int value : wanted) {
    if (list.compute_capability[index++] != value) return false;
  }
  return true;
}

constexpr bool test_lists_ascend_and_hold_each_once() {
  return are(wg::detail::read_targets{}, {}) && are(targets_in("900"), {90}) && are(targets_in("750,900"), {75, 90}) &&
         are(targets_in("900, 750"), {75, 90}) && are(targets_in(" 900 ,900,900 "), {90}) &&
         are(targets_in("1200,750,900,750,1000,1200,200"), {20, 75, 90, 100, 120}) &&
         are(targets_in("860,750,800,750,900,860"), {75, 80, 86, 90}) &&
         are(targets_in("750,900", "860,900"), {75, 86, 90});
}
static_assert(test_lists_ascend_and_hold_each_once());

constexpr bool test_a_full_list() {
  // 64 entries are the most that there can be.
  wg::detail::read_targets const full = targets_in(
      "830,820,810,800,790,780,770,760,750,740,730,720,710,700,690,680,670,660,650,640,630,620,610,600,590,580,570,560,"
      "550,540,530,520,510,500,490,480,470,460,450,440,430,420,410,400,390,380,370,360,350,340,330,320,310,300,290,280,"
      "270,260,250,240,230,220,210,200");
  return full.count == 64 && full.given == 64 && full.compute_capability[0] == 20 && full.compute_capability[63] == 83;
}
static_assert(test_a_full_list());

constexpr bool test_what_is_not_a_list_of_numbers() {
  for (char const* text : {"", " ", "750;900", "sm_90", "9.0", "750,", ",750", "750,,900", "90a", "-750", "750 900",
                           "\"750,900\"", "all", "1"}) {
    bool const one =
        text[0] == '1' && text[1] == '\0';  // -DWARPGUARD_TARGETS without a value: a list, of a wrong number
    if (targets_in(text).is_list != one) return false;
  }
  return true;
}
static_assert(test_what_is_not_a_list_of_numbers());

constexpr bool test_wrong_numbers() {
  // Each of them is named, and none of them is a target: 905 must not pass for 9.0, nor 120 for 1.2.
  wg::detail::read_targets const list = targets_in("905,900,120,75");
  if (list.wrong_count != 3 || list.wrong[0] != 905 || list.wrong[1] != 120 || list.wrong[2] != 75) return false;
  return list.count == 1 && list.compute_capability[0] == 90 && targets_in("0").wrong[0] == 0 &&
         targets_in("1").wrong[0] == 1 && targets_in("99999999999").wrong_count == 1 &&
         targets_in("1,2,3,4,5,6,7,8,9,10").wrong_count == wg::detail::max_wrong;
}
static_assert(test_wrong_numbers());

static_assert(wg::detail::device_pass == 0, "the host pass is no architecture");

}  // namespace

TEST_CASE("the targets are a Hana tuple of architectures, ascending") { CHECK(test_a_hana_tuple_of_architectures()); }
TEST_CASE("Hana's algorithms take the targets") { CHECK(test_hana_algorithms_take_it()); }
TEST_CASE("an architecture's type has its row of the table") { CHECK(test_an_architecture_has_its_row()); }
TEST_CASE("a list of targets ascends and holds each once") {
  CHECK(test_lists_ascend_and_hold_each_once());
  CHECK(test_a_full_list());
}
TEST_CASE("a text that is not a list of numbers, and numbers that are no targets") {
  CHECK(test_what_is_not_a_list_of_numbers());
  CHECK(test_wrong_numbers());
}

TEST_CASE("the targets can be walked at run time") {
  int walked = 0;
  hana::for_each(wg::targets, [&walked](auto architecture) {
    wg::architecture const* row = wg::find_architecture(architecture.compute_capability);
    REQUIRE(row != nullptr);
    CHECK(is_the_row(architecture.limits(), *row));
    ++walked;
  });
  CHECK(walked == 7);
}
