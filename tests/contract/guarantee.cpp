// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests guarantee for contracts that are kept, and is_kept, the same check as a bool. refusals/ tests contracts that
/// are broken. Compiled with WARPGUARD_TARGETS=750,800,860,890,900,1000,1200.

#include "../check.hpp"

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
  EXPECT(wg::guarantee<bare_contract>);
  EXPECT(wg::guarantee<varying_contract>);
  EXPECT(wg::guarantee<wg::contract<block, wg::max_registers<64>, wg::min_blocks_per_sm<4>>>);
  EXPECT(wg::guarantee_on<saxpy_contract, wg::sm<80>>);
  EXPECT(wg::guarantee_on<hopper_contract, wg::sm<90>, wg::sm<100>>);
  EXPECT(wg::guarantee_on<hopper_contract, wg::sm<90>>);
  EXPECT(wg::guarantee_on<old_contract, wg::sm<10>, wg::sm<11>>);
  return true;
}
static_assert(test_kept());

/// The host pass has no architecture, so it has no minimum blocks and no cluster size.
constexpr bool test_bounds() {
  EXPECT(wg::detail::bounds<varying_contract>::launch_threads == 256);
  EXPECT(wg::detail::bounds<varying_contract>::launch_min_blocks == 0);
  EXPECT(wg::detail::bounds<varying_contract>::launch_max_cluster == 0);
  return true;
}
static_assert(test_bounds());

// 7.5, 8.0 and 8.6 each hold 4 blocks of 256 threads with 64 registers.
struct out_of_reach_contract : wg::contract<block, wg::max_registers<64>, wg::min_blocks_per_sm<5>> {};
struct also_on_8_6_contract : wg::contract<block, wg::min_blocks_per_sm<4>, wg::also_runs_on<wg::sm<86>>> {};
struct also_on_3_0_contract : wg::contract<block, wg::max_registers<64>, wg::also_runs_on<wg::sm<30>>> {};

constexpr bool test_is_kept() {
  EXPECT(wg::is_kept<saxpy_contract> == wg::is_kept_on<saxpy_contract, wg::sm<75>>);
  EXPECT(wg::is_kept<bare_contract>);
  EXPECT(!wg::is_kept<out_of_reach_contract>);
  EXPECT(!wg::is_kept_on<out_of_reach_contract, wg::sm<90>>);
  EXPECT(wg::is_kept_on<wg::contract<block, wg::max_registers<48>, wg::min_blocks_per_sm<5>>, wg::sm<90>>);
  EXPECT(!wg::is_kept_on<saxpy_contract, wg::sm<90>, wg::sm<10>>);
  return true;
}
static_assert(test_is_kept());

// guarantee and is_kept also check the architectures of also_runs_on; is_kept_on checks only the listed ones.
constexpr bool test_also_runs_on() {
  EXPECT(wg::guarantee<also_on_8_6_contract>);
  EXPECT(wg::is_kept<also_on_8_6_contract>);
  EXPECT(!wg::is_kept<also_on_3_0_contract>);
  EXPECT(wg::is_kept_on<also_on_3_0_contract, wg::sm<90>>);
  return true;
}
static_assert(test_also_runs_on());

}  // namespace

TEST_CASE("guarantee is true for a contract that is kept") { CHECK(test_kept()); }
TEST_CASE("the launch bounds are those of the contract") { CHECK(test_bounds()); }
TEST_CASE("is_kept and is_kept_on are false for a contract that is broken") { CHECK(test_is_kept()); }
TEST_CASE("the architectures of also_runs_on are checked too") { CHECK(test_also_runs_on()); }
