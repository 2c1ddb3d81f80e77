// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests options that depend on the launch (blocks and bytes) or on the architecture (on_from, on_each), contracts made
/// from others, and which code a device runs.

#include "../../examples/stencil/stencil_contract.hpp"
#include "../../examples/two_tiles/two_tiles_contract.hpp"
#include "../check.hpp"

#include <warpguard/contract.hpp>
#include <warpguard/hardware/table.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;

namespace {

using block = wg::threads_per_block<256>;

template <class... Option>
constexpr wg::resolved_contract everywhere() {
  return wg::contract<Option...>::terms_on(0);
}

// ---- chosen by the launch -------------------------------------------------------------------------------------------

constexpr bool test_block_of_the_launch() {
  constexpr wg::resolved_contract terms = everywhere<wg::max_threads_per_block<512>, wg::min_threads_per_block<96>>();
  EXPECT(terms.block_varies == 1);
  EXPECT(terms.threads() == 512);
  EXPECT(terms.least_threads() == 96);
  EXPECT(everywhere<wg::max_threads_per_block<512>>().least_threads() == 1);
  EXPECT(everywhere<block>().block_varies == 0);
  EXPECT(everywhere<block>().least_threads() == 256);
  // A fixed block in on<> replaces the range, and the other way round.
  using fixed_on_9_0 = wg::contract<wg::max_threads_per_block<512>, wg::on<wg::sm<90>, wg::threads_per_block<32, 4>>>;
  EXPECT(fixed_on_9_0::terms_on(90).block_varies == 0);
  EXPECT(fixed_on_9_0::terms_on(90).threads() == 128);
  using range_on_9_0 = wg::contract<wg::threads_per_block<32, 4>, wg::on<wg::sm<90>, wg::max_threads_per_block<512>>>;
  EXPECT(range_on_9_0::terms_on(90).block_varies == 1);
  EXPECT(range_on_9_0::terms_on(90).threads() == 512);
  EXPECT(range_on_9_0::terms_on(80).threads() == 128);
  return true;
}
static_assert(test_block_of_the_launch());

constexpr bool test_bytes_of_the_launch() {
  constexpr wg::resolved_contract per_thread =
      everywhere<wg::max_threads_per_block<512>, wg::dynamic_shared_memory_per_thread<8>>();
  EXPECT(per_thread.dynamic_bytes(512) == 4096);
  EXPECT(per_thread.dynamic_bytes(100) == 800);
  EXPECT(per_thread.resources().dynamic_shared_memory == 4096);
  EXPECT(per_thread.least_resources(100).dynamic_shared_memory == 800);

  constexpr wg::resolved_contract both =
      everywhere<block, wg::dynamic_shared_memory<64>, wg::dynamic_shared_memory_per_thread<4>>();
  EXPECT(both.dynamic_bytes(256) == 64 + 1024);
  EXPECT(both.least_resources(256).dynamic_shared_memory == 64 + 1024);

  constexpr wg::resolved_contract chosen =
      everywhere<block, wg::max_dynamic_shared_memory<64>, wg::dynamic_shared_memory_per_thread<4>>();
  EXPECT(chosen.dynamic_bytes(256) == 64 + 1024);
  EXPECT(chosen.least_resources(256).dynamic_shared_memory == 0);
  EXPECT(everywhere<block, wg::max_dynamic_shared_memory<64>>().dynamic_alignment == 1);

  // More than an int holds is refused as too much, not cut.
  constexpr wg::resolved_contract huge =
      everywhere<block, wg::dynamic_shared_memory_per_thread<1 << 24>, wg::dynamic_shared_memory<2147483647>>();
  EXPECT(huge.dynamic_bytes(256) == wg::unlimited);
  EXPECT(wg::first_violation(wg::sm_90, huge) == wg::violation::shared_memory);
  return true;
}
static_assert(test_bytes_of_the_launch());

// The launch bounds are those of the largest block: two of 512 threads are 32 warps, half of 64.
struct range_contract : wg::contract<wg::max_threads_per_block<512>, wg::min_threads_per_block<64>,
                                     wg::min_occupancy<50>, wg::max_registers<40>> {};
static_assert(wg::guarantee_on<range_contract, wg::sm<80>, wg::sm<90>>);
static_assert(range_contract::on_sm<wg::sm<90>>::threads_per_block == 512);
static_assert(range_contract::on_sm<wg::sm<90>>::launch_min_blocks == 2);
static_assert(wg::detail::bounds<range_contract>::launch_threads == 512);

// ---- functions of the architecture ----------------------------------------------------------------------------------

template <class Architecture>
using kilobytes_on = wg::dynamic_shared_memory<Architecture::compute_capability * 1024>;
template <class Architecture>
using few_bytes_on = wg::dynamic_shared_memory<Architecture::compute_capability>;
template <class Architecture>
using threads_on = wg::threads_per_block<Architecture::compute_capability >= 90 ? 384 : 256>;

constexpr bool test_on_from() {
  using contract = wg::contract<block, wg::max_registers<32>, wg::on_from<wg::sm<80>, wg::max_registers<40>>,
                                wg::on_from<wg::sm<89>, wg::max_registers<48>, wg::barriers<2>>,
                                wg::on<wg::sm<90>, wg::max_registers<64>>>;
  EXPECT(contract::terms_on(75).max_registers == 32);
  EXPECT(contract::terms_on(80).max_registers == 40);
  EXPECT(contract::terms_on(87).max_registers == 40);
  EXPECT(contract::terms_on(87).barriers == 1);
  EXPECT(contract::terms_on(89).max_registers == 48);
  EXPECT(contract::terms_on(90).max_registers == 64);  // on<> comes first,
  EXPECT(contract::terms_on(90).barriers == 2);        // option by option
  EXPECT(contract::terms_on(121).max_registers == 48);
  EXPECT(contract::terms_on(0).max_registers == 32);
  // The order in which they stand does not matter.
  using reversed = wg::contract<wg::on<wg::sm<90>, wg::max_registers<64>>,
                                wg::on_from<wg::sm<89>, wg::max_registers<48>, wg::barriers<2>>,
                                wg::on_from<wg::sm<80>, wg::max_registers<40>>, wg::max_registers<32>, block>;
  for (int const capability : {75, 80, 87, 89, 90, 121, 0}) {
    EXPECT(reversed::terms_on(capability).max_registers == contract::terms_on(capability).max_registers);
    EXPECT(reversed::terms_on(capability).barriers == contract::terms_on(capability).barriers);
  }
  return true;
}
static_assert(test_on_from());

struct each_contract : wg::contract<block, wg::on_each<kilobytes_on>, wg::on_from<wg::sm<100>, wg::barriers<3>>,
                                    wg::on<wg::sm<86>, wg::dynamic_shared_memory<7>>> {};
constexpr bool test_on_each() {
  EXPECT(each_contract::terms_on(80).dynamic_shared_memory == 80 * 1024);
  EXPECT(each_contract::terms_on(90).dynamic_shared_memory == 90 * 1024);
  EXPECT(each_contract::terms_on(86).dynamic_shared_memory == 7);
  EXPECT(each_contract::terms_on(100).barriers == 3);
  EXPECT(each_contract::terms_on(100).dynamic_shared_memory == 100 * 1024);
  EXPECT(each_contract::terms_on(0).dynamic_shared_memory == 0);
  // An architecture that is no target, when it is named.
  EXPECT(each_contract::on_sm<wg::sm<72>>::dynamic_shared_memory == 72 * 1024);
  EXPECT(each_contract::terms_on<wg::target_list<70, 72>>(72).dynamic_shared_memory == 72 * 1024);
  EXPECT(each_contract::has_each);
  EXPECT(!range_contract::has_each);
  return true;
}
static_assert(test_on_each());
static_assert(wg::is_kept_on<each_contract, wg::sm<87>, wg::sm<90>>);
static_assert(!wg::is_kept_on<each_contract, wg::sm<75>>);  // a block has 64 KiB at most

// The block itself may be a function of the architecture, and then no option needs to state it for all.
struct threads_of_each : wg::contract<wg::on_each<threads_on>> {};
static_assert(wg::guarantee<threads_of_each>);
static_assert(threads_of_each::on_sm<wg::sm<80>>::threads_per_block == 256);
static_assert(threads_of_each::on_sm<wg::sm<90>>::threads_per_block == 384);
struct threads_from_8_0 : wg::contract<wg::on_from<wg::sm<80>, block>> {};
static_assert(wg::guarantee_on<threads_from_8_0, wg::sm<80>, wg::sm<120>>);
static_assert(!wg::is_kept_on<threads_from_8_0, wg::sm<75>>);

// The bytes that the examples launch are those of the layout that their kernels use, also where no test runs them.
template <class Architecture>
constexpr bool have_memory_for_their_tiles() {
  EXPECT(stencil_contract::on_sm<Architecture>::dynamic_shared_memory ==
         stencil_layout<stencil_tile_on<Architecture>>::bytes);
  EXPECT(two_tiles_contract::on_sm<Architecture>::dynamic_shared_memory ==
         two_tiles_layout<two_tiles_edge_on<Architecture>>::bytes);
  return true;
}
static_assert(have_memory_for_their_tiles<wg::sm<87>>() && have_memory_for_their_tiles<wg::sm<103>>());
static_assert(have_memory_for_their_tiles<wg::sm<110>>() && have_memory_for_their_tiles<wg::sm<121>>());

// ---- contracts from others ------------------------------------------------------------------------------------------

struct whole_contract
    : wg::contract<wg::max_threads_per_block<512>, wg::min_threads_per_block<64>, wg::max_registers<40>,
                   wg::min_occupancy<50>, wg::on<wg::sm<90>, wg::max_registers<64>>, wg::on_each<kilobytes_on>> {};

constexpr bool test_contract_from() {
  using changed = wg::contract_from<whole_contract, wg::max_registers<32>, wg::barriers<2>>;
  EXPECT(changed::options::count == 7);
  EXPECT(changed::terms_on(80).max_registers == 32);
  EXPECT(changed::terms_on(80).barriers == 2);
  EXPECT(changed::terms_on(80).minimum == 50);
  EXPECT(changed::terms_on(80).least_threads() == 64);
  EXPECT(changed::terms_on(80).dynamic_shared_memory == 80 * 1024);
  EXPECT(changed::terms_on(90).max_registers == 64);  // on<> stays
  // The four minimums are one kind; a fixed block takes the place of the range and of its minimum.
  using fixed = wg::contract_from<whole_contract, wg::min_blocks_per_sm<2>, wg::threads_per_block<128>,
                                  wg::on<wg::sm<90>, wg::max_registers<128>>>;
  EXPECT(fixed::terms_on(80).unit == wg::minimum_unit::blocks);
  EXPECT(fixed::terms_on(80).minimum == 2);
  EXPECT(fixed::terms_on(80).threads() == 128);
  EXPECT(fixed::terms_on(80).block_varies == 0);
  EXPECT(fixed::terms_on(80).min_threads == 0);
  EXPECT(fixed::terms_on(90).max_registers == 128);
  // on_each is of the kind of the option that it gives.
  using other_bytes = wg::contract_from<whole_contract, wg::on_each<few_bytes_on>>;
  EXPECT(other_bytes::options::count == whole_contract::options::count);
  EXPECT(other_bytes::terms_on(80).dynamic_shared_memory == 80);
  using same_bytes = wg::contract_from<whole_contract, wg::dynamic_shared_memory<512>>;
  EXPECT(same_bytes::terms_on(80).dynamic_shared_memory == 512);
  EXPECT(wg::contract_from<same_bytes, wg::on_each<few_bytes_on>>::terms_on(90).dynamic_shared_memory == 90);
  // From a contract that was made in this way; and nothing changed.
  using twice = wg::contract_from<fixed, wg::threads_per_block<96>>;
  EXPECT(twice::threads == 96);
  EXPECT(twice::terms_on(90).max_registers == 128);
  EXPECT(wg::contract_from<whole_contract>::options::count == whole_contract::options::count);
  return true;
}
static_assert(test_contract_from());
struct narrower_contract : wg::contract_from<range_contract, wg::max_threads_per_block<256>> {};
static_assert(wg::guarantee_on<narrower_contract, wg::sm<80>>);

// ---- which code a device runs ---------------------------------------------------------------------------------------

constexpr bool test_code_for_device() {
  constexpr int code[] = {75, 80, 86, 100};
  auto const runs = [&code](int device) { return wg::code_for_device(code, 4, device); };
  EXPECT(runs(75) == 75);
  EXPECT(runs(80) == 80);
  EXPECT(runs(87) == 86);
  EXPECT(runs(89) == 86);
  EXPECT(runs(90) == 86);  // compiled from PTX
  EXPECT(runs(103) == 100);
  EXPECT(runs(120) == 100);  // compiled from PTX
  EXPECT(runs(72) == 0);     // too early for all
  // Machine code of its own major version comes before later PTX of another.
  constexpr int older[] = {60, 70};
  EXPECT(wg::code_for_device(older, 2, 62) == 60);
  EXPECT(wg::code_for_device(older, 2, 75) == 70);
  EXPECT(wg::code_for_device(older, 0, 75) == 0);
  return true;
}
static_assert(test_code_for_device());

constexpr bool test_may_run() {
  EXPECT(wg::may_run_code_of(80, 80));
  EXPECT(wg::may_run_code_of(80, 89));
  EXPECT(!wg::may_run_code_of(86, 80));
  EXPECT(!wg::may_run_code_of(75, 80));
  EXPECT(wg::may_run_code_of(100, 103));
  EXPECT(!wg::may_run_code_of(100, 110));
  EXPECT(!wg::may_run_code_of(90, 100));
  EXPECT(wg::may_run_code_of(120, 121));
  EXPECT(!wg::may_run_code_of(121, 120));
  return true;
}
static_assert(test_may_run());

// In the host pass, the first target; here that is 7.5.
static_assert(wg::this_sm::compute_capability == 75);

}  // namespace

TEST_CASE("launches choose blocks up to a maximum") { CHECK(test_block_of_the_launch()); }
TEST_CASE("launches choose bytes up to a maximum, and bytes grow with the block") { CHECK(test_bytes_of_the_launch()); }
TEST_CASE("on_from holds on later architectures, and the nearest one counts") { CHECK(test_on_from()); }
TEST_CASE("on_each is a function of the architecture") { CHECK(test_on_each()); }
TEST_CASE("contract_from replaces options by kind") { CHECK(test_contract_from()); }
TEST_CASE("a device runs machine code of its own major version, or the latest PTX up to its own version") {
  CHECK(test_code_for_device());
  CHECK(test_may_run());
}
