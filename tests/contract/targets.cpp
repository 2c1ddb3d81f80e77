// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiled with WARPGUARD_TARGETS=750,800,860,890,900,1000,1200; an unsorted list is in targets_unsorted.cpp.

#include <warpguard/contract/targets.hpp>

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
  return std::is_same_v<std::decay_t<decltype(wg::targets)>, hana::tuple<wg::sm<75>, wg::sm<80>, wg::sm<86>, wg::sm<89>,
                                                                         wg::sm<90>, wg::sm<100>, wg::sm<120>>>;
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

constexpr bool are(wg::detail::target_list const& list, std::initializer_list<int> wanted) {
  if (list.count != static_cast<int>(wanted.size())) return false;
  int i = 0;
  for (int value : wanted) {
    if (list.compute_capability[i++] != value || !list.contains(value)) return false;
  }
  return !list.contains(0) && !list.contains(95);
}

constexpr bool test_lists_ascend_and_hold_each_once() {
  using wg::detail::list_targets;
  return are(list_targets<>(), {}) && are(list_targets<900>(), {90}) && are(list_targets<750, 900>(), {75, 90}) &&
         are(list_targets<900, 750>(), {75, 90}) && are(list_targets<900, 900, 900>(), {90}) &&
         are(list_targets<1200, 750, 900, 750, 1000, 1200, 100>(), {10, 75, 90, 100, 120}) &&
         are(list_targets<860, 750, 800, 750, 900, 860>(), {75, 80, 86, 90}) &&
         are(list_targets<905, 900>(), {-905, 90});
}
static_assert(test_lists_ascend_and_hold_each_once());

constexpr bool test_a_full_list() {
  // 64 entries are the most that there can be.
  return wg::detail::list_targets<640, 630, 620, 610, 600, 590, 580, 570, 560, 550, 540, 530, 520, 510, 500, 490,  //
                                  480, 470, 460, 450, 440, 430, 420, 410, 400, 390, 380, 370, 360, 350, 340, 330,  //
                                  320, 310, 300, 290, 280, 270, 260, 250, 240, 230, 220, 210, 200, 190, 180, 170,  //
                                  160, 150, 140, 130, 120, 110, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10>()
             .count == 64;
}
static_assert(test_a_full_list());

static_assert(wg::detail::device_pass == 0, "the host pass is no architecture");

}  // namespace

TEST_CASE("the targets are a Hana tuple of architectures, ascending") { CHECK(test_a_hana_tuple_of_architectures()); }
TEST_CASE("Hana's algorithms take the targets") { CHECK(test_hana_algorithms_take_it()); }
TEST_CASE("an architecture's type has its row of the table") { CHECK(test_an_architecture_has_its_row()); }
TEST_CASE("a list of targets ascends and holds each once") {
  CHECK(test_lists_ascend_and_hold_each_once());
  CHECK(test_a_full_list());
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
