// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Contracts that are kept, and answers instead of refusals. The refusals are in refusals/. Compiled with
/// WARPGUARD_TARGETS=750,800,860,890,900,1000,1200.

#include <warpguard/contract/guarantee.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;

namespace {

using block = wg::threads_per_block<256>;

struct saxpy_contract : wg::contract<block, wg::max_registers<40>, wg::min_occupancy<75>> {};
struct hopper_contract : wg::contract<wg::threads_per_block<384>, wg::max_registers<168>, wg::cluster_size<2>,
                                      wg::dynamic_shared_memory<200 * 1024>, wg::exactly_blocks_per_sm<1>> {};
struct varying_contract : wg::contract<block, wg::dynamic_shared_memory<32 * 1024>, wg::min_blocks_per_sm<2>,
                                       wg::on<wg::sm<90>, wg::dynamic_shared_memory<112 * 1024>>> {};
struct old_contract : wg::contract<wg::threads_per_block<512>, wg::max_registers<16>, wg::exactly_blocks_per_sm<1>> {};
struct bare_contract : wg::contract<wg::threads_per_block<1024>> {};

constexpr bool test_kept() {
  return wg::guarantee<bare_contract> && wg::guarantee<varying_contract> &&
         wg::guarantee<wg::contract<block, wg::max_registers<64>, wg::min_blocks_per_sm<4>>> &&
         wg::guarantee_on<saxpy_contract, wg::sm<80>> && wg::guarantee_on<hopper_contract, wg::sm<90>, wg::sm<100>> &&
         wg::guarantee_on<hopper_contract, wg::sm<90>> && wg::guarantee_on<old_contract, wg::sm<10>, wg::sm<11>>;
}
static_assert(test_kept());

/// The bounds are the contract's own numbers, and those of nothing where there are none.
constexpr bool test_bounds() {
  return wg::detail::bounds<varying_contract>::launch_threads == 256 &&
         wg::detail::bounds<varying_contract>::launch_min_blocks == 0 &&
         wg::detail::bounds<varying_contract>::launch_max_cluster == 0;
}
static_assert(test_bounds());

// 8.6 holds 4 blocks of 256 threads with 64 registers, 8.0 as well; 7.5 holds 4.
struct out_of_reach_contract : wg::contract<block, wg::max_registers<64>, wg::min_blocks_per_sm<5>> {};
struct also_on_8_6_contract : wg::contract<block, wg::min_blocks_per_sm<4>, wg::also_runs_on<wg::sm<86>>> {};
struct also_on_3_0_contract : wg::contract<block, wg::max_registers<64>, wg::also_runs_on<wg::sm<30>>> {};

constexpr bool test_answers() {
  return wg::is_kept<saxpy_contract> == wg::is_kept_on<saxpy_contract, wg::sm<75>> && wg::is_kept<bare_contract> &&
         !wg::is_kept<out_of_reach_contract> && !wg::is_kept_on<out_of_reach_contract, wg::sm<90>> &&
         wg::is_kept_on<wg::contract<block, wg::max_registers<48>, wg::min_blocks_per_sm<5>>, wg::sm<90>> &&
         !wg::is_kept_on<saxpy_contract, wg::sm<90>, wg::sm<10>>;
}
static_assert(test_answers());

// The build checks the architectures of also_runs_on, an answer for a list of architectures only that list.
constexpr bool test_also_runs_on() {
  return wg::guarantee<also_on_8_6_contract> && wg::is_kept<also_on_8_6_contract> &&
         !wg::is_kept<also_on_3_0_contract> && wg::is_kept_on<also_on_3_0_contract, wg::sm<90>>;
}
static_assert(test_also_runs_on());

}  // namespace

TEST_CASE("a contract that is kept gives true") { CHECK(test_kept()); }
TEST_CASE("the launch bounds are the contract's") { CHECK(test_bounds()); }
TEST_CASE("is_kept and is_kept_on answer instead of refusing") { CHECK(test_answers()); }
TEST_CASE("also_runs_on is checked with the build") { CHECK(test_also_runs_on()); }
