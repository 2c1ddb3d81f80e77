// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests what is decided over options as values, in constant expressions and when the program runs: the other tests
/// reach these functions through types, so only the compiler calls them.

#include "../check.hpp"

#include <warpguard/contract/contract_from.hpp>
#include <warpguard/contract/guarantee.hpp>
#include <warpguard/contract/refusal.hpp>
#include <warpguard/contract/suggested_block.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;
namespace detail = warpguard::detail;

namespace {

using detail::check_result;

using block = wg::threads_per_block<256>;

/// What is found about options on a list of architectures.
template <class Architectures, class... Option>
constexpr check_result found(bool in_build = false) {
  using contract = wg::contract<Option...>;
  return detail::check_options(contract::template values_for<Architectures>, sizeof...(Option),
                               detail::rows_of<Architectures>, Architectures::count, in_build);
}

using on_75 = wg::target_list<75>;
using on_75_and_90 = wg::target_list<75, 90>;

template <class Architecture>
using bytes_on = wg::dynamic_shared_memory<1000 * Architecture::compute_capability>;
template <class Architecture>
using other_bytes_on = wg::dynamic_shared_memory<1024>;
template <class Architecture>
using no_option_on = wg::on<Architecture, wg::max_registers<32>>;

constexpr bool test_kept_and_broken() {
  EXPECT(found<on_75_and_90, block, wg::min_blocks_per_sm<4>>() == check_result::kept);
  EXPECT(found<on_75_and_90, block, wg::min_blocks_per_sm<5>>() == check_result::broken);
  EXPECT(found<wg::target_list<75, 77>, block>() == check_result::broken);  // 7.7 is not in the table
  EXPECT(found<wg::target_list<>, block>() == check_result::no_targets);
  return true;
}
static_assert(test_kept_and_broken());

constexpr bool test_faults() {
  EXPECT(found<on_75>() == check_result::fault);
  EXPECT(found<on_75, wg::max_registers<32>>() == check_result::fault);
  EXPECT(found<on_75, block, wg::max_registers<0>>() == check_result::fault);
  EXPECT(found<on_75, block, wg::max_registers<32>, wg::max_registers<40>>() == check_result::fault);
  EXPECT(found<on_75, block, wg::on<wg::sm<75>, wg::on<wg::sm<75>>>>() == check_result::fault);
  EXPECT(found<on_75, wg::on<wg::sm<75>, block>>() == check_result::kept);
  return true;
}
static_assert(test_faults());

// 65537 bytes do not fit into a block on 7.5, but on 9.0.
constexpr bool test_terms_of_one_architecture() {
  using too_much = wg::dynamic_shared_memory<65537>;
  EXPECT(found<on_75_and_90, block, too_much>() == check_result::broken);
  EXPECT(found<on_75_and_90, block, wg::on<wg::sm<90>, too_much>>() == check_result::kept);
  EXPECT(found<on_75_and_90, block, wg::on<wg::sm<75>, too_much>>() == check_result::broken);
  EXPECT(found<on_75_and_90, block, wg::on_from<wg::sm<80>, too_much>>() == check_result::kept);
  EXPECT(found<on_75_and_90, block, wg::on_from<wg::sm<70>, too_much>>() == check_result::broken);
  EXPECT(found<on_75_and_90, block, wg::on_from<wg::sm<70>, too_much>,
               wg::on_from<wg::sm<75>, wg::dynamic_shared_memory<1024>>>() == check_result::kept);
  return true;
}
static_assert(test_terms_of_one_architecture());

// 1000 bytes for each tenth of the compute capability: 75000 on 7.5, 90000 on 9.0.
constexpr bool test_on_each() {
  EXPECT(found<on_75_and_90, block, wg::on_each<bytes_on>>() == check_result::broken);
  EXPECT(found<wg::target_list<90>, block, wg::on_each<bytes_on>>() == check_result::kept);
  EXPECT(found<on_75, block, wg::on_each<bytes_on>, wg::on_each<other_bytes_on>>() == check_result::broken);
  EXPECT(found<on_75, block, wg::on_each<no_option_on>>() == check_result::broken);
  return true;
}
static_assert(test_on_each());

constexpr bool test_in_a_build() {
  using build = wg::build_target_list;
  EXPECT(found<build, block>(true) == check_result::kept);
  EXPECT(found<build, block, wg::on<wg::sm<13>, wg::max_registers<32>>>(true) == check_result::dead_on);
  EXPECT(found<on_75, block, wg::on<wg::sm<13>, wg::max_registers<32>>>() == check_result::kept);
  EXPECT(found<build, block, wg::also_runs_on<wg::sm<87>>>(true) == check_result::kept);
  // 8.0 has warp slots for 8 blocks of 256 threads, 8.6 for 6.
  EXPECT(found<wg::target_list<80>, block, wg::min_blocks_per_sm<6>, wg::also_runs_on<wg::sm<86>>>(true) ==
         check_result::kept);
  EXPECT(found<wg::target_list<80>, block, wg::min_blocks_per_sm<7>, wg::also_runs_on<wg::sm<86>>>(true) ==
         check_result::broken);
  return true;
}
static_assert(test_in_a_build());

// The largest limits in the CUDA C++ Programming Guide; 16 blocks are a cluster that is not portable.
constexpr bool test_largest_limits() {
  detail::table_maxima const most = detail::find_table_maxima();
  EXPECT(most.threads_per_block == 1024);
  EXPECT(most.registers_per_thread == 255);
  EXPECT(most.static_bytes == 49152);
  EXPECT(most.block_bytes == 232448);
  EXPECT(most.barriers == 16);
  EXPECT(most.cluster == 16);
  return true;
}
static_assert(test_largest_limits());

constexpr bool test_shapes() {
  EXPECT(detail::is_block_shape(1024, 1, 1));
  EXPECT(detail::is_block_shape(4, 4, 64));
  EXPECT(!detail::is_block_shape(0, 1, 1));
  EXPECT(!detail::is_block_shape(1, 1025, 1));
  EXPECT(!detail::is_block_shape(1, 1, 65));
  EXPECT(!detail::is_block_shape(33, 32, 1));
  EXPECT(detail::blocks_of_cluster(2, 2, 4) == 16);
  EXPECT(detail::blocks_of_cluster(17, 1, 1) == 17);
  EXPECT(detail::blocks_of_cluster(1, 0, 1) == 0);
  EXPECT(detail::blocks_of_cluster(1, 1, 2147483647) == 2147483647);
  return true;
}
static_assert(test_shapes());

// An option with one number is valid from its least to its most.
constexpr bool test_ranges() {
  using terms = wg::resolved_contract;
  using kind = wg::option_kind;
  EXPECT(!detail::number_value(kind::max_registers, &terms::max_registers, 15, 16, 255).is_valid);
  EXPECT(detail::number_value(kind::max_registers, &terms::max_registers, 16, 16, 255).is_valid);
  EXPECT(detail::number_value(kind::max_registers, &terms::max_registers, 255, 16, 255).is_valid);
  EXPECT(!detail::number_value(kind::max_registers, &terms::max_registers, 256, 16, 255).is_valid);
  EXPECT(detail::minimum_value(100, wg::minimum_unit::percent).is_valid);
  EXPECT(!detail::minimum_value(101, wg::minimum_unit::percent).is_valid);
  EXPECT(detail::minimum_value(101, wg::minimum_unit::warps).is_valid);
  EXPECT(!detail::minimum_value(0, wg::minimum_unit::warps).is_valid);
  EXPECT(detail::dynamic_value(0, 16).is_valid);
  EXPECT(!detail::dynamic_value(-1, 16).is_valid);
  EXPECT(!detail::valid_if(false, detail::dynamic_value(0, 16)).is_valid);
  EXPECT(detail::varies(detail::dynamic_value(0, 16, true)));
  EXPECT(!detail::varies(detail::dynamic_value(0, 16)));
  EXPECT(detail::flag_value(kind::min_blocks_bound, &terms::min_blocks_bound, 0).is_valid);
  return true;
}
static_assert(test_ranges());

// contract_from: a fixed block replaces the least block of the base, a chosen one does not.
constexpr bool test_replacement() {
  detail::option_value const& least = wg::min_threads_per_block<64>::as_value;
  EXPECT(detail::replaces(block::as_value, wg::threads_per_block<128>::as_value));
  EXPECT(detail::replaces(block::as_value, least));
  EXPECT(!detail::replaces(wg::max_threads_per_block<256>::as_value, least));
  EXPECT(!detail::replaces(block::as_value, wg::max_registers<32>::as_value));
  return true;
}
static_assert(test_replacement());

// All warps of 8.6 are 3 blocks of 512 threads, so code for it may use 42 registers per thread, in steps of 8: 40. 8.0
// needs 4 blocks, which such code does not enforce; its own code does, and registers do not limit it.
constexpr bool test_enforced_resources() {
  using contract = wg::contract<wg::threads_per_block<512>, wg::min_occupancy<100>>;
  wg::resolved_contract const terms = contract::terms_on(80);
  EXPECT(detail::enforced_resources(wg::sm_80, terms, wg::sm_86).registers_per_thread == 40);
  EXPECT(detail::enforced_resources(wg::sm_80, terms, wg::sm_80).registers_per_thread == 0);
  EXPECT(detail::enforced_resources(wg::sm_80, terms, wg::sm_86).threads_per_block == 512);
  EXPECT(wg::first_broken_limit(wg::sm_80, terms) == wg::violation::none);
  EXPECT(wg::facts_of(wg::violation::none, wg::sm_80, terms).limit == 0);
  EXPECT(wg::target_list<75, 90>::contains(90));
  EXPECT(!wg::target_list<75, 90>::contains(80));
  EXPECT(detail::is_block_resource(wg::option_kind::barriers));
  EXPECT(!detail::is_block_resource(wg::option_kind::cluster_size));
  return true;
}
static_assert(test_enforced_resources());

}  // namespace

TEST_CASE("options as values, when the program runs") {
  CHECK(test_kept_and_broken());
  CHECK(test_faults());
  CHECK(test_terms_of_one_architecture());
  CHECK(test_on_each());
  CHECK(test_in_a_build());
  CHECK(test_largest_limits());
  CHECK(test_shapes());
  CHECK(test_ranges());
  CHECK(test_replacement());
  CHECK(test_enforced_resources());
}
