// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests a suggested block size as an option of a contract. block_size.cpp in model/ and oracle/ tests the search, and
/// refusals/ tests what must not compile.

#include "../check.hpp"

#include <warpguard/contract/contract.hpp>
#include <warpguard/contract/contract_on.hpp>
#include <warpguard/contract/guarantee.hpp>
#include <warpguard/contract/suggested_block.hpp>
#include <warpguard/contract/targets.hpp>
#include <warpguard/model/block_size.hpp>

#include <doctest/doctest.h>

#include <type_traits>

namespace wg = warpguard;

namespace {

// The suggestion is the option itself: the same block size is the same type.
static_assert(
    std::is_same_v<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<40>>, wg::threads_per_block<768>>);
static_assert(std::is_same_v<wg::suggested_threads_per_block<wg::sm<90>>, wg::threads_per_block<1024>>);
static_assert(std::is_same_v<wg::suggested_threads_per_block<wg::sm<86>>, wg::threads_per_block<768>>);

template <class Option>
constexpr int threads_of = Option::as_value.settings[0].value;

constexpr bool test_options() {
  wg::kernel_resources const kernel{0, 64, 1000, 30000, 5};
  EXPECT(threads_of<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<64>, wg::static_shared_memory<1000>,
                                                    wg::dynamic_shared_memory<30000>, wg::barriers<5>>> ==
         wg::suggest_block_size(wg::sm_90, kernel));
  // in another order
  EXPECT(threads_of<wg::suggested_threads_per_block<wg::sm<90>, wg::barriers<5>, wg::dynamic_shared_memory<30000>,
                                                    wg::static_shared_memory<1000>, wg::max_registers<64>>> ==
         wg::suggest_block_size(wg::sm_90, kernel));
  return true;
}
static_assert(test_options());

// In a contract, with another suggestion on 7.5.
struct scan_contract
    : wg::contract<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<40>>, wg::max_registers<40>,
                   wg::min_occupancy<75>, wg::on<wg::sm<75>, wg::suggested_threads_per_block<wg::sm<75>>>> {};
static_assert(wg::guarantee_on<scan_contract, wg::sm<90>, wg::sm<75>>);

constexpr bool test_contract() {
  EXPECT(scan_contract::on_sm<wg::sm<90>>::threads_per_block == 768);
  EXPECT(scan_contract::on_sm<wg::sm<75>>::threads_per_block == 1024);
  EXPECT(scan_contract::on_sm<wg::sm<90>>::blocks_per_sm == 2);
  return true;
}
static_assert(test_contract());

TEST_CASE("a suggested block size is an option") {
  CHECK(test_options());
  CHECK(test_contract());
}

}  // namespace
