// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a contract says; whether an architecture keeps it is in guard.cpp, what must not compile in refusals/.

#include <warpguard/contract/contract.hpp>
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
  return first.block_x == other.block_x && first.block_y == other.block_y && first.block_z == other.block_z &&
         first.max_registers == other.max_registers && first.static_shared_memory == other.static_shared_memory &&
         first.dynamic_shared_memory == other.dynamic_shared_memory &&
         first.dynamic_alignment == other.dynamic_alignment && first.barriers == other.barriers &&
         first.cluster_x == other.cluster_x && first.cluster_y == other.cluster_y &&
         first.cluster_z == other.cluster_z && first.spill_budget == other.spill_budget &&
         first.minimum == other.minimum && first.unit == other.unit && first.max_blocks == other.max_blocks &&
         first.min_blocks_bound == other.min_blocks_bound;
}

template <class... Option>
constexpr resolved_contract everywhere() {
  return wg::contract<Option...>::terms_on(0);
}

// ---- options --------------------------------------------------------------------------------------------------------

constexpr bool test_what_is_not_stated() {
  resolved_contract const terms = everywhere<wg::threads_per_block<96>>();
  wg::kernel_resources const kernel = terms.resources();
  return terms.block_x == 96 && terms.block_y == 1 && terms.block_z == 1 && terms.threads() == 96 &&
         terms.max_registers == 0 && terms.static_shared_memory == 0 && terms.dynamic_shared_memory == 0 &&
         terms.barriers == 1 && terms.cluster_size() == 1 && terms.minimum == 0 &&
         terms.blocks_required(wg::sm_90) == 0 && terms.blocks_allowed() == wg::unlimited &&
         terms.min_blocks_bound == 1 && terms.launch_min_blocks(wg::sm_90) == 0 && kernel.threads_per_block == 96 &&
         kernel.registers_per_thread == 0 && kernel.barriers == 1 && kernel.virtual_resources == 0;
}
static_assert(test_what_is_not_stated());

using block = wg::threads_per_block<256>;

constexpr bool test_every_option_says_its_own() {
  resolved_contract const bare = everywhere<block>();
  resolved_contract terms = bare;

  terms.block_x = 8, terms.block_y = 16, terms.block_z = 4;
  if (!equal(everywhere<wg::threads_per_block<8, 16, 4>>(), terms) || terms.threads() != 512) return false;
  terms = bare, terms.max_registers = 40;
  if (!equal(everywhere<block, wg::max_registers<40>>(), terms)) return false;
  terms = bare, terms.static_shared_memory = 1000;
  if (!equal(everywhere<block, wg::static_shared_memory<1000>>(), terms)) return false;
  terms = bare, terms.dynamic_shared_memory = 2000;
  if (!equal(everywhere<block, wg::dynamic_shared_memory<2000>>(), terms)) return false;
  terms = bare, terms.barriers = 3;
  if (!equal(everywhere<block, wg::barriers<3>>(), terms)) return false;
  terms = bare, terms.cluster_x = 4;
  if (!equal(everywhere<block, wg::cluster_size<4>>(), terms) || terms.cluster_size() != 4) return false;
  terms = bare, terms.cluster_x = 2, terms.cluster_y = 3, terms.cluster_z = 2;
  if (!equal(everywhere<block, wg::cluster_size<2, 3, 2>>(), terms) || terms.cluster_size() != 12) return false;
  terms = bare, terms.unit = minimum_unit::percent, terms.minimum = 75;
  if (!equal(everywhere<block, wg::min_occupancy<75>>(), terms)) return false;
  terms = bare, terms.unit = minimum_unit::warps, terms.minimum = 24;
  if (!equal(everywhere<block, wg::min_warps_per_sm<24>>(), terms)) return false;
  terms = bare, terms.unit = minimum_unit::blocks, terms.minimum = 5;
  if (!equal(everywhere<block, wg::min_blocks_per_sm<5>>(), terms)) return false;
  terms = bare, terms.unit = minimum_unit::exact_blocks, terms.minimum = 1;
  if (!equal(everywhere<block, wg::exactly_blocks_per_sm<1>>(), terms) || terms.blocks_allowed() != 1) return false;
  terms = bare, terms.max_blocks = 2;
  if (!equal(everywhere<block, wg::max_blocks_per_sm<2>>(), terms) || terms.blocks_allowed() != 2) return false;
  terms = bare, terms.spill_budget = 64;
  if (!equal(everywhere<block, wg::spill_budget<64>>(), terms)) return false;
  terms = bare, terms.min_blocks_bound = 0;
  return equal(everywhere<block, wg::no_min_blocks_bound>(), terms);
}
static_assert(test_every_option_says_its_own());

/// All orders that turning and reversing the options gives.
template <class First, class... Rest>
constexpr bool same_in_any_order(resolved_contract const& terms, int turns) {
  if constexpr (sizeof...(Rest) > 0) {
    if (!equal(everywhere<First, Rest...>(), terms)) return false;
    return turns == 0 || same_in_any_order<Rest..., First>(terms, turns - 1);
  } else {
    return equal(everywhere<First>(), terms);
  }
}

constexpr bool test_any_order() {
  using special = wg::on<wg::sm<90>, wg::max_registers<64>>;
  resolved_contract const terms =
      everywhere<block, wg::max_registers<40>, wg::dynamic_shared_memory<512>, wg::barriers<2>, wg::min_occupancy<50>,
                 wg::no_min_blocks_bound, special>();
  if (terms.max_registers != 40 || terms.barriers != 2 || terms.minimum != 50) return false;
  if (!same_in_any_order<block, wg::max_registers<40>, wg::dynamic_shared_memory<512>, wg::barriers<2>,
                         wg::min_occupancy<50>, wg::no_min_blocks_bound, special>(terms, 6)) {
    return false;
  }
  // on<> before or after what it replaces
  return wg::contract<special, block, wg::max_registers<40>>::terms_on(90).max_registers == 64 &&
         wg::contract<block, wg::max_registers<40>, special>::terms_on(90).max_registers == 64;
}
static_assert(test_any_order());

// ---- on<> -----------------------------------------------------------------------------------------------------------

struct varying_contract
    : wg::contract<block, wg::max_registers<40>, wg::min_occupancy<50>, wg::dynamic_shared_memory<16 * 1024>,
                   wg::on<wg::sm<90>, wg::dynamic_shared_memory<200 * 1024>, wg::exactly_blocks_per_sm<1>>,
                   wg::on<wg::sm<75>, wg::threads_per_block<64, 4>, wg::min_warps_per_sm<8>, wg::no_min_blocks_bound>,
                   wg::on<wg::sm<80>>> {};

constexpr bool test_on_replaces_what_it_states_and_nothing_else() {
  resolved_contract const base = varying_contract::terms_on(0);
  if (!equal(varying_contract::terms_on(86), base) || !equal(varying_contract::terms_on(80), base)) return false;

  resolved_contract hopper = base;
  hopper.dynamic_shared_memory = 200 * 1024;
  hopper.unit = minimum_unit::exact_blocks;
  hopper.minimum = 1;
  if (!equal(varying_contract::terms_on(90), hopper)) return false;

  resolved_contract turing = base;
  turing.block_x = 64;
  turing.block_y = 4;
  turing.unit = minimum_unit::warps;
  turing.minimum = 8;
  turing.min_blocks_bound = 0;
  return equal(varying_contract::terms_on(75), turing);
}
static_assert(test_on_replaces_what_it_states_and_nothing_else());

// ---- what the promise comes to --------------------------------------------------------------------------------------

constexpr bool test_blocks_required() {
  // 320 threads are 10 warps; 62 % of 64 warps are 39.68, 63 % are 40.32.
  using odd = wg::threads_per_block<320>;
  return everywhere<odd, wg::min_occupancy<62>>().blocks_required(wg::sm_70) == 4 &&
         everywhere<odd, wg::min_occupancy<63>>().blocks_required(wg::sm_70) == 5 &&
         everywhere<odd, wg::min_occupancy<100>>().blocks_required(wg::sm_70) == 7 &&
         everywhere<odd, wg::min_occupancy<1>>().blocks_required(wg::sm_70) == 1 &&
         everywhere<odd, wg::min_warps_per_sm<40>>().blocks_required(wg::sm_70) == 4 &&
         everywhere<odd, wg::min_warps_per_sm<41>>().blocks_required(wg::sm_70) == 5 &&
         everywhere<odd, wg::min_blocks_per_sm<3>>().blocks_required(wg::sm_70) == 3 &&
         everywhere<odd, wg::exactly_blocks_per_sm<2>>().blocks_required(wg::sm_70) == 2 &&
         // the same percentage of another architecture
         everywhere<block, wg::min_occupancy<75>>().blocks_required(wg::sm_75) == 3 &&
         everywhere<block, wg::min_occupancy<75>>().blocks_required(wg::sm_86) == 5 &&
         everywhere<block, wg::min_occupancy<75>>().blocks_required(wg::sm_90) == 6 &&
         // a last warp that is not full is a warp
         everywhere<wg::threads_per_block<33>, wg::min_occupancy<100>>().blocks_required(wg::sm_90) == 32;
}
static_assert(test_blocks_required());

// ---- launch bounds and on_sm ----------------------------------------------------------------------------------------

constexpr bool test_host_pass_has_no_architecture() {
  using clustered = wg::contract<block, wg::min_occupancy<50>, wg::cluster_size<4>>;
  using wg::detail::bounds;
  return varying_contract::threads == 256 && bounds<varying_contract>::launch_threads == 256 &&
         bounds<varying_contract>::launch_min_blocks == 0 && bounds<varying_contract>::launch_max_cluster == 0 &&
         bounds<clustered>::launch_min_blocks == 0 && bounds<clustered>::launch_max_cluster == 0;
}
static_assert(test_host_pass_has_no_architecture());

constexpr bool test_launch_min_blocks_of_each_architecture() {
  using percent = wg::contract<block, wg::min_occupancy<75>>;
  using unforced = wg::contract<block, wg::min_occupancy<75>, wg::max_registers<32>, wg::no_min_blocks_bound>;
  using at_most = wg::contract<block, wg::max_blocks_per_sm<2>>;
  return percent::on_sm<wg::sm<75>>::launch_min_blocks == 3 && percent::on_sm<wg::sm<86>>::launch_min_blocks == 5 &&
         percent::on_sm<wg::sm<90>>::launch_min_blocks == 6 && unforced::on_sm<wg::sm<90>>::launch_min_blocks == 0 &&
         at_most::on_sm<wg::sm<90>>::launch_min_blocks == 0 &&
         wg::detail::launch_min_blocks(percent::terms_on(90), 90) == 6 &&
         wg::detail::launch_min_blocks(percent::terms_on(0), 0) == 0;
}
static_assert(test_launch_min_blocks_of_each_architecture());

constexpr bool test_on_sm() {
  using hopper = varying_contract::on_sm<wg::sm<90>>;
  using ampere = varying_contract::on_sm<wg::sm<80>>;
  using turing = varying_contract::on_sm<wg::sm<75>>;
  return hopper::threads_per_block == 256 && hopper::dynamic_shared_memory == 200 * 1024 &&
         hopper::static_shared_memory == 0 && hopper::cluster_size == 1 && hopper::blocks_per_sm == 1 &&
         hopper::warps_per_sm == 8 && hopper::threads_per_sm == 256 &&
         hopper::limited_by == wg::limiter::shared_memory && hopper::launch_min_blocks == 1 &&
         // 40 registers are 1280 per warp, of which 12 fit a quarter of the SM: 6 blocks of 8 warps.
         ampere::blocks_per_sm == 6 && ampere::warps_per_sm == 48 && ampere::limited_by == wg::limiter::registers &&
         ampere::residency.unused_warps == 16 &&
         // 4 blocks of 256 threads fill 7.5, and 64 KiB hold 4 times 16 KiB.
         turing::threads_per_block == 256 && turing::blocks_per_sm == 4 &&
         turing::limited_by == (wg::limiter::warps | wg::limiter::shared_memory) && turing::launch_min_blocks == 0;
}
static_assert(test_on_sm());

template <class Architecture, class... Option>
inline constexpr int cap = wg::contract<block, Option...>::template on_sm<Architecture>::max_registers;

constexpr bool test_register_cap() {
  return cap<wg::sm<90>> == 255 && cap<wg::sm<90>, wg::max_registers<40>> == 40 &&
         cap<wg::sm<90>, wg::min_blocks_per_sm<5>> == 48 &&
         cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::max_registers<40>> == 40 &&
         cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::max_registers<64>> == 48 &&
         cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::no_min_blocks_bound, wg::max_registers<64>> == 64 &&
         cap<wg::sm<90>, wg::min_blocks_per_sm<5>, wg::no_min_blocks_bound> == 255 && cap<wg::sm<30>> == 63 &&
         cap<wg::sm<10>> == 32 && cap<wg::sm<75>, wg::min_blocks_per_sm<5>> == wg::impossible;
}
static_assert(test_register_cap());

// ---- options as values that Hana takes ------------------------------------------------------------------------------

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
  return seen == 7 && hana::at_c<0>(values) == 40 && hana::at_c<1>(values) == 2 &&
         decltype(hana::length(wg::contract<>::options{}))::value == 0;
}
static_assert(test_options_are_a_hana_sequence());

}  // namespace

TEST_CASE("what a contract does not state has a default") { CHECK(test_what_is_not_stated()); }
TEST_CASE("every option says its own and nothing else") { CHECK(test_every_option_says_its_own()); }
TEST_CASE("options come in any order") { CHECK(test_any_order()); }
TEST_CASE("on<> replaces what it states on its architecture, the kind of minimum included") {
  CHECK(test_on_replaces_what_it_states_and_nothing_else());
}
TEST_CASE("a promise comes to blocks, never by way of a rounded percentage") { CHECK(test_blocks_required()); }
TEST_CASE("the host pass has no architecture") { CHECK(test_host_pass_has_no_architecture()); }
TEST_CASE("each architecture has its own minimum blocks") { CHECK(test_launch_min_blocks_of_each_architecture()); }
TEST_CASE("on_sm holds the contract on one architecture") { CHECK(test_on_sm()); }
TEST_CASE("the register cap is what ptxas makes of the bounds, or max_registers") { CHECK(test_register_cap()); }
TEST_CASE("Hana's algorithms take a contract's options") { CHECK(test_options_are_a_hana_sequence()); }
