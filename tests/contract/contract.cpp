// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the terms that a contract resolves to. guarantee.cpp and violation.cpp test whether an architecture keeps a
/// contract, and refusals/ tests what must not compile.

#include "../check.hpp"

#include <warpguard/contract/contract.hpp>
#include <warpguard/contract/contract_on.hpp>
#include <warpguard/contract/guarantee.hpp>
#include <warpguard/hana.hpp>

#include <doctest/doctest.h>
#include <boost/hana/at.hpp>
#include <boost/hana/count_if.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>

#include <type_traits>

namespace wg = warpguard;
namespace hana = boost::hana;

namespace {

using wg::minimum_unit;
using wg::resolved_contract;

constexpr bool equal(resolved_contract const& first, resolved_contract const& other) {
  EXPECT(first.block_x == other.block_x);
  EXPECT(first.block_y == other.block_y);
  EXPECT(first.block_z == other.block_z);
  EXPECT(first.block_varies == other.block_varies);
  EXPECT(first.min_threads == other.min_threads);
  EXPECT(first.min_registers == other.min_registers);
  EXPECT(first.dynamic_per_thread == other.dynamic_per_thread);
  EXPECT(first.dynamic_varies == other.dynamic_varies);
  EXPECT(first.promise_required == other.promise_required);
  EXPECT(first.max_registers == other.max_registers);
  EXPECT(first.static_shared_memory == other.static_shared_memory);
  EXPECT(first.dynamic_shared_memory == other.dynamic_shared_memory);
  EXPECT(first.dynamic_alignment == other.dynamic_alignment);
  EXPECT(first.barriers == other.barriers);
  EXPECT(first.cluster_x == other.cluster_x);
  EXPECT(first.cluster_y == other.cluster_y);
  EXPECT(first.cluster_z == other.cluster_z);
  EXPECT(first.spill_budget == other.spill_budget);
  EXPECT(first.minimum == other.minimum);
  EXPECT(first.unit == other.unit);
  EXPECT(first.max_blocks == other.max_blocks);
  EXPECT(first.min_blocks_bound == other.min_blocks_bound);
  return true;
}

template <class... Option>
constexpr resolved_contract everywhere() {
  return wg::contract<Option...>::terms_on(0);
}

// ---- options --------------------------------------------------------------------------------------------------------

constexpr bool test_defaults() {
  resolved_contract const terms = everywhere<wg::threads_per_block<96>>();
  wg::kernel_resources const kernel = terms.resources();
  EXPECT(terms.block_x == 96);
  EXPECT(terms.block_y == 1);
  EXPECT(terms.block_z == 1);
  EXPECT(terms.threads() == 96);
  EXPECT(terms.max_registers == 0);
  EXPECT(terms.static_shared_memory == 0);
  EXPECT(terms.dynamic_shared_memory == 0);
  EXPECT(terms.barriers == 1);
  EXPECT(terms.cluster_size() == 1);
  EXPECT(terms.minimum == 0);
  EXPECT(terms.blocks_required(wg::sm_90) == 0);
  EXPECT(terms.blocks_allowed() == wg::unlimited);
  EXPECT(terms.min_blocks_bound == 1);
  EXPECT(terms.launch_min_blocks(wg::sm_90) == 0);
  EXPECT(kernel.threads_per_block == 96);
  EXPECT(kernel.registers_per_thread == 0);
  EXPECT(kernel.barriers == 1);
  EXPECT(kernel.virtual_resources == 0);
  return true;
}
static_assert(test_defaults());

using block = wg::threads_per_block<256>;

constexpr bool test_each_option_sets_only_its_terms() {
  resolved_contract const bare = everywhere<block>();
  resolved_contract terms = bare;

  terms.block_x = 8, terms.block_y = 16, terms.block_z = 4;
  EXPECT(equal(everywhere<wg::threads_per_block<8, 16, 4>>(), terms));
  EXPECT(terms.threads() == 512);
  terms = bare, terms.max_registers = 40;
  EXPECT(equal(everywhere<block, wg::max_registers<40>>(), terms));
  terms = bare, terms.static_shared_memory = 1000;
  EXPECT(equal(everywhere<block, wg::static_shared_memory<1000>>(), terms));
  terms = bare, terms.dynamic_shared_memory = 2000;
  EXPECT(equal(everywhere<block, wg::dynamic_shared_memory<2000>>(), terms));
  terms = bare, terms.barriers = 3;
  EXPECT(equal(everywhere<block, wg::barriers<3>>(), terms));
  terms = bare, terms.cluster_x = 4;
  EXPECT(equal(everywhere<block, wg::cluster_size<4>>(), terms));
  EXPECT(terms.cluster_size() == 4);
  terms = bare, terms.cluster_x = 2, terms.cluster_y = 3, terms.cluster_z = 2;
  EXPECT(equal(everywhere<block, wg::cluster_size<2, 3, 2>>(), terms));
  EXPECT(terms.cluster_size() == 12);
  terms = bare, terms.unit = minimum_unit::percent, terms.minimum = 75;
  EXPECT(equal(everywhere<block, wg::min_occupancy<75>>(), terms));
  terms = bare, terms.unit = minimum_unit::warps, terms.minimum = 24;
  EXPECT(equal(everywhere<block, wg::min_warps_per_sm<24>>(), terms));
  terms = bare, terms.unit = minimum_unit::blocks, terms.minimum = 5;
  EXPECT(equal(everywhere<block, wg::min_blocks_per_sm<5>>(), terms));
  terms = bare, terms.unit = minimum_unit::exact_blocks, terms.minimum = 1;
  EXPECT(equal(everywhere<block, wg::exactly_blocks_per_sm<1>>(), terms));
  EXPECT(terms.blocks_allowed() == 1);
  terms = bare, terms.max_blocks = 2;
  EXPECT(equal(everywhere<block, wg::max_blocks_per_sm<2>>(), terms));
  EXPECT(terms.blocks_allowed() == 2);
  terms = bare, terms.spill_budget = 64;
  EXPECT(equal(everywhere<block, wg::spill_budget<64>>(), terms));
  terms = bare, terms.min_blocks_bound = 0;
  EXPECT(equal(everywhere<block, wg::no_min_blocks_bound>(), terms));
  return true;
}
static_assert(test_each_option_sets_only_its_terms());

/// Compares the terms for this order of the options and for the next `rotations` rotations of it.
template <class First, class... Rest>
constexpr bool rotations_have(resolved_contract const& terms, int rotations) {
  EXPECT(equal(everywhere<First, Rest...>(), terms));
  return rotations == 0 || rotations_have<Rest..., First>(terms, rotations - 1);
}

constexpr bool test_any_order() {
  using special = wg::on<wg::sm<90>, wg::max_registers<64>>;
  resolved_contract const terms =
      everywhere<block, wg::max_registers<40>, wg::dynamic_shared_memory<512>, wg::barriers<2>, wg::min_occupancy<50>,
                 wg::no_min_blocks_bound, special>();
  EXPECT(terms.max_registers == 40);
  EXPECT(terms.barriers == 2);
  EXPECT(terms.minimum == 50);
  EXPECT(rotations_have<block, wg::max_registers<40>, wg::dynamic_shared_memory<512>, wg::barriers<2>,
                        wg::min_occupancy<50>, wg::no_min_blocks_bound, special>(terms, 6));
  // on<> may come before or after the option that it replaces.
  EXPECT(wg::contract<special, block, wg::max_registers<40>>::terms_on(90).max_registers == 64);
  EXPECT(wg::contract<block, wg::max_registers<40>, special>::terms_on(90).max_registers == 64);
  return true;
}
static_assert(test_any_order());

// ---- on<> -----------------------------------------------------------------------------------------------------------

struct varying_contract
    : wg::contract<block, wg::max_registers<40>, wg::min_occupancy<50>, wg::dynamic_shared_memory<16 * 1024>,
                   wg::on<wg::sm<90>, wg::dynamic_shared_memory<200 * 1024>, wg::exactly_blocks_per_sm<1>>,
                   wg::on<wg::sm<75>, wg::threads_per_block<64, 4>, wg::min_warps_per_sm<8>, wg::no_min_blocks_bound>,
                   wg::on<wg::sm<80>, wg::max_registers<40>>> {};

constexpr bool test_on_replaces_only_its_options() {
  resolved_contract const base = varying_contract::terms_on(0);
  EXPECT(equal(varying_contract::terms_on(86), base));
  EXPECT(equal(varying_contract::terms_on(80), base));

  resolved_contract hopper = base;
  hopper.dynamic_shared_memory = 200 * 1024;
  hopper.unit = minimum_unit::exact_blocks;
  hopper.minimum = 1;
  EXPECT(equal(varying_contract::terms_on(90), hopper));

  resolved_contract turing = base;
  turing.block_x = 64;
  turing.block_y = 4;
  turing.unit = minimum_unit::warps;
  turing.minimum = 8;
  turing.min_blocks_bound = 0;
  EXPECT(equal(varying_contract::terms_on(75), turing));
  return true;
}
static_assert(test_on_replaces_only_its_options());

// ---- blocks required ------------------------------------------------------------------------------------------------

constexpr bool test_blocks_required() {
  // 320 threads are 10 warps; 62 % of 64 warps are 39.68, 63 % are 40.32.
  using odd = wg::threads_per_block<320>;
  EXPECT(everywhere<odd, wg::min_occupancy<62>>().blocks_required(wg::sm_70) == 4);
  EXPECT(everywhere<odd, wg::min_occupancy<63>>().blocks_required(wg::sm_70) == 5);
  EXPECT(everywhere<odd, wg::min_occupancy<100>>().blocks_required(wg::sm_70) == 7);
  EXPECT(everywhere<odd, wg::min_occupancy<1>>().blocks_required(wg::sm_70) == 1);
  EXPECT(everywhere<odd, wg::min_warps_per_sm<40>>().blocks_required(wg::sm_70) == 4);
  EXPECT(everywhere<odd, wg::min_warps_per_sm<41>>().blocks_required(wg::sm_70) == 5);
  EXPECT(everywhere<odd, wg::min_blocks_per_sm<3>>().blocks_required(wg::sm_70) == 3);
  EXPECT(everywhere<odd, wg::exactly_blocks_per_sm<2>>().blocks_required(wg::sm_70) == 2);
  // The same percentage is another number of blocks on another architecture.
  EXPECT(everywhere<block, wg::min_occupancy<75>>().blocks_required(wg::sm_75) == 3);
  EXPECT(everywhere<block, wg::min_occupancy<75>>().blocks_required(wg::sm_86) == 5);
  EXPECT(everywhere<block, wg::min_occupancy<75>>().blocks_required(wg::sm_90) == 6);
  // A warp that is not full counts as a whole warp.
  EXPECT(everywhere<wg::threads_per_block<33>, wg::min_occupancy<100>>().blocks_required(wg::sm_90) == 32);
  return true;
}
static_assert(test_blocks_required());

// ---- launch bounds and on_sm ----------------------------------------------------------------------------------------

constexpr bool test_host_pass_has_no_architecture() {
  using clustered = wg::contract<block, wg::min_occupancy<50>, wg::cluster_size<4>>;
  using wg::detail::bounds;
  EXPECT(varying_contract::threads == 256);
  EXPECT(bounds<varying_contract>::launch_threads == 256);
  EXPECT(bounds<varying_contract>::launch_min_blocks == 0);
  EXPECT(bounds<varying_contract>::launch_max_cluster == 0);
  EXPECT(bounds<clustered>::launch_min_blocks == 0);
  EXPECT(bounds<clustered>::launch_max_cluster == 0);
  return true;
}
static_assert(test_host_pass_has_no_architecture());

constexpr bool test_launch_min_blocks_of_each_architecture() {
  using percent = wg::contract<block, wg::min_occupancy<75>>;
  using unforced = wg::contract<block, wg::min_occupancy<75>, wg::max_registers<32>, wg::no_min_blocks_bound>;
  using at_most = wg::contract<block, wg::max_blocks_per_sm<2>>;
  EXPECT(percent::on_sm<wg::sm<75>>::launch_min_blocks == 3);
  EXPECT(percent::on_sm<wg::sm<86>>::launch_min_blocks == 5);
  EXPECT(percent::on_sm<wg::sm<90>>::launch_min_blocks == 6);
  EXPECT(unforced::on_sm<wg::sm<90>>::launch_min_blocks == 0);
  EXPECT(at_most::on_sm<wg::sm<90>>::launch_min_blocks == 0);
  EXPECT(wg::detail::launch_min_blocks(percent::terms_on(90), 90) == 6);
  EXPECT(wg::detail::launch_min_blocks(percent::terms_on(0), 0) == 0);
  return true;
}
static_assert(test_launch_min_blocks_of_each_architecture());

constexpr bool test_on_sm() {
  using hopper = varying_contract::on_sm<wg::sm<90>>;
  using ampere = varying_contract::on_sm<wg::sm<80>>;
  using turing = varying_contract::on_sm<wg::sm<75>>;
  EXPECT(hopper::threads_per_block == 256);
  EXPECT(hopper::dynamic_shared_memory == 200 * 1024);
  EXPECT(hopper::static_shared_memory == 0);
  EXPECT(hopper::cluster_size == 1);
  EXPECT(hopper::blocks_per_sm == 1);
  EXPECT(hopper::warps_per_sm == 8);
  EXPECT(hopper::threads_per_sm == 256);
  EXPECT(hopper::limited_by == wg::limiter::shared_memory);
  EXPECT(hopper::launch_min_blocks == 1);
  // A warp takes 1280 registers for 40 per thread. A quarter of the SM holds 12 such warps: 6 blocks of 8 warps.
  EXPECT(ampere::blocks_per_sm == 6);
  EXPECT(ampere::warps_per_sm == 48);
  EXPECT(ampere::limited_by == wg::limiter::registers);
  EXPECT(ampere::residency.unused_warps == 16);
  // 4 blocks of 256 threads fill an SM of 7.5, and its 64 KiB hold 4 times 16 KiB.
  EXPECT(turing::threads_per_block == 256);
  EXPECT(turing::blocks_per_sm == 4);
  EXPECT(turing::limited_by == (wg::limiter::warps | wg::limiter::shared_memory));
  EXPECT(turing::launch_min_blocks == 0);
  return true;
}
static_assert(test_on_sm());

template <class Architecture, class... Option>
inline constexpr int cap = wg::contract<block, Option...>::template on_sm<Architecture>::max_registers;

constexpr bool test_register_cap() {
  EXPECT(cap<wg::sm<90>> == 255);
  EXPECT(cap<wg::sm<90>, wg::max_registers<40>> == 40);
  EXPECT(cap<wg::sm<90>, wg::min_blocks_per_sm<5>> == 48);
  EXPECT(cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::max_registers<40>> == 40);
  EXPECT(cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::max_registers<64>> == 48);
  EXPECT(cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::no_min_blocks_bound, wg::max_registers<64>> == 64);
  EXPECT(cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::no_min_blocks_bound> == 255);
  EXPECT(cap<wg::sm<30>> == 63);
  EXPECT(cap<wg::sm<10>> == 32);
  EXPECT(cap<wg::sm<75>, wg::min_blocks_per_sm<5>> == wg::impossible);
  return true;
}
static_assert(test_register_cap());

// ---- options in Hana algorithms -------------------------------------------------------------------------------------

struct is_dynamic_shared_memory {
  template <class Option>
  constexpr auto operator()(Option) const {
    return hana::false_c;
  }
  template <int Bytes>
  constexpr auto operator()(wg::dynamic_shared_memory<Bytes>) const {
    return hana::true_c;
  }
};

constexpr bool test_options_are_a_hana_sequence() {
  constexpr auto options = varying_contract::options{};
  static_assert(decltype(hana::length(options))::value == 7);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::at_c<0>(options))>, block>);
  static_assert(std::is_same_v<std::decay_t<decltype(hana::at_c<1>(options))>, wg::max_registers<40>>);
  static_assert(decltype(hana::count_if(options, is_dynamic_shared_memory{}))::value == 1);
  static_assert(hana::at_c<3>(options).value == 16 * 1024);

  int seen = 0;
  hana::for_each(options, [&seen](auto) { ++seen; });
  constexpr auto values =
      hana::transform(wg::contract<wg::max_registers<40>, wg::barriers<2>>::options{}, [](auto o) { return o.value; });
  EXPECT(seen == 7);
  EXPECT(hana::at_c<0>(values) == 40);
  EXPECT(hana::at_c<1>(values) == 2);
  EXPECT(decltype(hana::length(wg::contract<>::options{}))::value == 0);
  return true;
}
static_assert(test_options_are_a_hana_sequence());

}  // namespace

TEST_CASE("terms without an option have a default") { CHECK(test_defaults()); }
TEST_CASE("each option sets its own terms and no others") { CHECK(test_each_option_sets_only_its_terms()); }
TEST_CASE("options may come in any order") { CHECK(test_any_order()); }
TEST_CASE("on<> replaces its options on its architecture, including the unit of the minimum") {
  CHECK(test_on_replaces_only_its_options());
}
TEST_CASE("a minimum is converted to blocks without rounding the percentage") { CHECK(test_blocks_required()); }
TEST_CASE("the host pass has no architecture") { CHECK(test_host_pass_has_no_architecture()); }
TEST_CASE("each architecture has its own minimum blocks") { CHECK(test_launch_min_blocks_of_each_architecture()); }
TEST_CASE("on_sm has the terms and the residency on one architecture") { CHECK(test_on_sm()); }
TEST_CASE("the register cap is the smaller of max_registers and the cap that ptxas derives from the bounds") {
  CHECK(test_register_cap());
}
TEST_CASE("Hana algorithms accept a contract's options") { CHECK(test_options_are_a_hana_sequence()); }
