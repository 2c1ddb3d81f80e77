// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests first_violation(), the value that every refusal is made of. refusals/ tests the refusals themselves.

#include "../check.hpp"

#include <warpguard/contract/contract.hpp>
#include <warpguard/contract/violation.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "random_terms.hpp"

namespace wg = warpguard;

namespace {

using wg::resolved_contract;
using wg::violation;

using block = wg::threads_per_block<256>;

// ---- one violation each ---------------------------------------------------------------------------------------------

template <class... Option>
constexpr violation found(wg::architecture const& row) {
  return wg::first_violation(row, wg::contract<Option...>::terms_on(row.compute_capability));
}

constexpr bool test_limits_of_a_block() {
  EXPECT(found<wg::threads_per_block<512>>(wg::sm_13) == violation::none);
  EXPECT(found<wg::threads_per_block<513>>(wg::sm_13) == violation::block_size);
  EXPECT(found<wg::threads_per_block<32>, wg::max_registers<63>>(wg::sm_30) == violation::none);
  EXPECT(found<wg::threads_per_block<32>, wg::max_registers<64>>(wg::sm_30) == violation::registers_per_thread);
  EXPECT(found<wg::threads_per_block<32>, wg::max_registers<124>>(wg::sm_13) == violation::none);
  EXPECT(found<wg::threads_per_block<32>, wg::max_registers<125>>(wg::sm_13) == violation::registers_per_thread);
  EXPECT(found<block, wg::static_shared_memory<16384>>(wg::sm_13) == violation::none);
  EXPECT(found<block, wg::static_shared_memory<16385>>(wg::sm_13) == violation::static_shared_memory);
  EXPECT(found<block, wg::static_shared_memory<49152>>(wg::sm_90) == violation::none);
  EXPECT(found<block, wg::static_shared_memory<49153>>(wg::sm_90) == violation::static_shared_memory);
  return true;
}
static_assert(test_limits_of_a_block());

constexpr bool test_opt_in() {
  EXPECT(found<block, wg::dynamic_shared_memory<65536>>(wg::sm_75) == violation::none);
  EXPECT(found<block, wg::dynamic_shared_memory<65537>>(wg::sm_75) == violation::shared_memory);
  EXPECT(found<block, wg::dynamic_shared_memory<232448>>(wg::sm_90) == violation::none);
  EXPECT(found<block, wg::dynamic_shared_memory<232449>>(wg::sm_90) == violation::shared_memory);
  EXPECT(found<block, wg::dynamic_shared_memory<49153>>(wg::sm_61) == violation::shared_memory);
  EXPECT(found<block, wg::static_shared_memory<1>, wg::dynamic_shared_memory<232447>>(wg::sm_90) == violation::none);
  EXPECT(found<block, wg::static_shared_memory<1>, wg::dynamic_shared_memory<232448>>(wg::sm_90) ==
         violation::shared_memory);
  EXPECT(found<block, wg::static_shared_memory<49152>, wg::dynamic_shared_memory<2147483647>>(wg::sm_90) ==
         violation::shared_memory);
  return true;
}
static_assert(test_opt_in());

constexpr bool test_clusters() {
  EXPECT(found<block, wg::cluster_size<1>>(wg::sm_80) == violation::none);
  EXPECT(found<block, wg::cluster_size<2>>(wg::sm_80) == violation::cluster);
  EXPECT(found<block, wg::cluster_size<16>>(wg::sm_90) == violation::none);
  EXPECT(found<block, wg::cluster_size<17>>(wg::sm_90) == violation::cluster);
  EXPECT(found<block, wg::cluster_size<1, 4, 4>>(wg::sm_90) == violation::none);
  EXPECT(found<block, wg::cluster_size<1, 4, 4>>(wg::sm_120) == violation::cluster);
  EXPECT(found<block, wg::cluster_size<1, 1, 2>>(wg::sm_80) == violation::cluster);
  EXPECT(found<block, wg::cluster_size<8>>(wg::sm_120) == violation::none);
  EXPECT(found<block, wg::cluster_size<9>>(wg::sm_120) == violation::cluster);
  // The limit of 11.0 is not published, so nothing is refused.
  EXPECT(found<block, wg::cluster_size<16>>(wg::sm_110) == violation::none);
  return true;
}
static_assert(test_clusters());

constexpr bool test_register_file() {
  using full = wg::threads_per_block<1024>;
  EXPECT(found<full, wg::max_registers<64>>(wg::sm_90) == violation::none);
  EXPECT(found<full, wg::max_registers<65>>(wg::sm_90) == violation::register_file);
  EXPECT(found<full, wg::max_registers<32>>(wg::sm_62) == violation::none);
  EXPECT(found<full, wg::max_registers<33>>(wg::sm_62) == violation::register_file);
  return true;
}
static_assert(test_register_file());

constexpr bool test_percent_is_never_rounded() {
  using odd = wg::threads_per_block<320>;
  using registers = wg::max_registers<37>;
  // 4 blocks of 10 warps are 62.5 % of 64.
  EXPECT(found<odd, registers, wg::min_occupancy<62>>(wg::sm_70) == violation::none);
  EXPECT(found<odd, registers, wg::min_occupancy<63>>(wg::sm_70) == violation::residency);
  EXPECT(found<wg::threads_per_block<128>, registers, wg::min_occupancy<75>>(wg::sm_70) == violation::none);
  EXPECT(found<wg::threads_per_block<128>, registers, wg::min_occupancy<76>>(wg::sm_70) == violation::residency);
  EXPECT(found<block, wg::min_occupancy<100>>(wg::sm_86) == violation::none);
  EXPECT(found<wg::threads_per_block<1024>, wg::min_occupancy<66>>(wg::sm_86) == violation::none);
  EXPECT(found<wg::threads_per_block<1024>, wg::min_occupancy<67>>(wg::sm_86) == violation::residency);
  return true;
}
static_assert(test_percent_is_never_rounded());

constexpr bool test_exactly_and_at_most() {
  using bytes = wg::dynamic_shared_memory<48 * 1024>;  // 4 blocks on 9.0
  EXPECT(found<block, bytes, wg::exactly_blocks_per_sm<3>>(wg::sm_90) == violation::excess);
  EXPECT(found<block, bytes, wg::exactly_blocks_per_sm<4>>(wg::sm_90) == violation::none);
  EXPECT(found<block, bytes, wg::exactly_blocks_per_sm<5>>(wg::sm_90) == violation::residency);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<3>>(wg::sm_90) == violation::excess);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<4>>(wg::sm_90) == violation::none);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<5>>(wg::sm_90) == violation::none);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<4>, wg::min_blocks_per_sm<4>>(wg::sm_90) == violation::none);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<4>, wg::min_blocks_per_sm<5>>(wg::sm_90) ==
         violation::minimum_exceeds_maximum);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<3>, wg::min_blocks_per_sm<2>>(wg::sm_90) == violation::excess);
  // exactly_blocks_per_sm is a minimum and a maximum; it does not replace another maximum.
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<3>, wg::exactly_blocks_per_sm<4>>(wg::sm_90) ==
         violation::minimum_exceeds_maximum);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<5>, wg::exactly_blocks_per_sm<4>>(wg::sm_90) == violation::none);
  EXPECT(found<block, bytes, wg::max_blocks_per_sm<5>, wg::exactly_blocks_per_sm<3>>(wg::sm_90) == violation::excess);
  return true;
}
static_assert(test_exactly_and_at_most());

constexpr bool test_unbounded_registers() {
  EXPECT(found<block, wg::min_blocks_per_sm<1>, wg::no_min_blocks_bound>(wg::sm_90) == violation::unbounded_registers);
  EXPECT(found<block, wg::exactly_blocks_per_sm<8>, wg::no_min_blocks_bound>(wg::sm_90) ==
         violation::unbounded_registers);
  // 9 blocks are out of reach with any number of registers.
  EXPECT(found<block, wg::min_blocks_per_sm<9>, wg::no_min_blocks_bound>(wg::sm_90) == violation::residency);
  EXPECT(found<block, wg::min_blocks_per_sm<1>, wg::no_min_blocks_bound, wg::max_registers<40>>(wg::sm_90) ==
         violation::none);
  EXPECT(found<block, wg::min_blocks_per_sm<7>, wg::no_min_blocks_bound, wg::max_registers<40>>(wg::sm_90) ==
         violation::residency);
  EXPECT(found<block, wg::no_min_blocks_bound>(wg::sm_90) == violation::none);
  EXPECT(found<block, wg::no_min_blocks_bound, wg::max_blocks_per_sm<8>>(wg::sm_90) == violation::none);
  return true;
}
static_assert(test_unbounded_registers());

// ---- a second implementation ----------------------------------------------------------------------------------------

/// The registers that ptxas may use at most under launch bounds of `threads` and `blocks`, found by trying all; 0 if
/// not even one register fits.
int registers_under_bounds(wg::architecture const& arch, int threads, int blocks) {
  int registers = arch.max_registers_per_thread;
  while (registers > 0 && wg::occupancy_of(arch, {threads, registers}).blocks_per_sm < blocks) --registers;
  return registers;
}

/// Finds the first violation in another way: compares the limits one by one, gets the blocks from occupancy_of(), and
/// tries every number of threads that a launch may choose, not only whole warps.
/// `code`: whose code the GPU runs.
violation expected_violation(wg::architecture const& arch, resolved_contract const& terms,
                             wg::architecture const& code) {
  int const most_threads = terms.block_x * terms.block_y * terms.block_z;
  if (most_threads == 0) return violation::missing_block;
  if (terms.min_threads > 0 && terms.block_varies == 0) return violation::fixed_block;
  if (terms.min_threads > most_threads) return violation::empty_block_range;
  if (terms.max_registers > 0 && terms.min_registers > terms.max_registers) return violation::empty_register_range;
  if (most_threads > arch.max_threads_per_block) return violation::block_size;
  if (terms.max_registers > arch.max_registers_per_thread || terms.min_registers > arch.max_registers_per_thread) {
    return violation::registers_per_thread;
  }
  if (terms.static_shared_memory > arch.max_shared_per_block_default) return violation::static_shared_memory;
  auto const dynamic = [&](int threads) {
    return terms.dynamic_shared_memory + static_cast<long long>(terms.dynamic_per_thread) * threads;
  };
  if (terms.static_shared_memory + dynamic(most_threads) > arch.max_shared_per_block_optin) {
    return violation::shared_memory;
  }
  if (wg::support_of_cluster(arch, terms.cluster_size()) == wg::cluster_support::refused) return violation::cluster;

  auto const blocks_with = [&](int threads, int registers, long long bytes) {
    return wg::occupancy_of(arch,
                            {threads, registers, terms.static_shared_memory, static_cast<int>(bytes), terms.barriers});
  };
  bool const is_obstructed = blocks_with(most_threads, terms.max_registers, dynamic(most_threads)).blocks_per_sm == 0;
  if (is_obstructed) return violation::register_file;

  int const least_threads = terms.block_varies == 0 ? most_threads : (terms.min_threads > 0 ? terms.min_threads : 1);
  bool const is_exact = terms.unit == wg::minimum_unit::exact_blocks;
  int const allowed = is_exact && terms.minimum < terms.max_blocks ? terms.minimum : terms.max_blocks;
  auto const required_of = [&terms](wg::architecture const& gpu, int threads) {
    int const warps = (threads + gpu.warp_size - 1) / gpu.warp_size;
    int blocks = 0;
    auto const is_enough = [&] {
      switch (terms.unit) {
        case wg::minimum_unit::percent: return 100LL * blocks * warps >= 1LL * terms.minimum * gpu.max_warps_per_sm;
        case wg::minimum_unit::warps: return 1LL * blocks * warps >= terms.minimum;
        default: return 1LL * blocks >= terms.minimum;
      }
    };
    while (!is_enough()) ++blocks;
    return blocks;
  };
  auto const required = [&](int threads) { return required_of(arch, threads); };
  for (int threads = least_threads; threads <= most_threads; ++threads) {
    if (required(threads) > allowed) return violation::minimum_exceeds_maximum;
  }
  // The launch bounds enforce the promise in the largest block, on the GPU that they are computed for. Elsewhere the
  // compiler may use all registers that they allow.
  int registers = terms.max_registers;
  int const bound = required_of(code, most_threads);
  bool const is_elsewhere = terms.block_varies != 0 && terms.unit < wg::minimum_unit::blocks;
  if (registers == 0 && terms.min_blocks_bound != 0 && terms.minimum > 0 &&
      (is_elsewhere || required(most_threads) > bound)) {
    registers = std::min(registers_under_bounds(code, most_threads, bound), arch.max_registers_per_thread);
  }
  for (int threads = least_threads; threads <= most_threads; ++threads) {
    if (blocks_with(threads, registers, dynamic(threads)).blocks_per_sm < required(threads)) {
      return violation::residency;
    }
  }
  if (terms.minimum > 0 && terms.min_blocks_bound == 0 && terms.max_registers == 0) {
    return violation::unbounded_registers;
  }
  for (int threads = least_threads; threads <= most_threads; ++threads) {
    long long const bytes = terms.dynamic_varies != 0 ? 0 : dynamic(threads);
    if (blocks_with(threads, terms.min_registers, bytes).blocks_per_sm > allowed) return violation::excess;
  }
  return violation::none;
}

}  // namespace

TEST_CASE("the limits of a block on an architecture") { CHECK(test_limits_of_a_block()); }
TEST_CASE("static and dynamic shared memory together stay within the opt-in limit") { CHECK(test_opt_in()); }
TEST_CASE("cluster sizes of architectures with and without clusters") { CHECK(test_clusters()); }
TEST_CASE("the registers of one block must fit the register file") { CHECK(test_register_file()); }
TEST_CASE("62.5 % reaches 62 % and not 63 %") { CHECK(test_percent_is_never_rounded()); }
TEST_CASE("exactly_blocks_per_sm and max_blocks_per_sm") { CHECK(test_exactly_and_at_most()); }
TEST_CASE("a minimum with no_min_blocks_bound needs max_registers") { CHECK(test_unbounded_registers()); }
TEST_CASE("the first violation agrees with the limits and with occupancy_of()") {
  numbers random;
  int count[static_cast<int>(violation::excess) + 1] = {};
  for (int round = 0; round < 200000; ++round) {
    resolved_contract const terms = random_terms(random);
    wg::architecture const& arch = *wg::architectures[random.below(row_count)];
    wg::architecture const& code = random.below(2) == 0 ? arch : *wg::architectures[random.below(row_count)];
    violation const rule = wg::first_violation(arch, terms, code);
    ++count[static_cast<int>(rule)];
    if (rule == expected_violation(arch, terms, code)) continue;
    CAPTURE(arch.compute_capability);
    CAPTURE(code.compute_capability);
    CAPTURE(terms.threads());
    CAPTURE(terms.max_registers);
    CAPTURE(terms.static_shared_memory);
    CAPTURE(terms.dynamic_shared_memory);
    CAPTURE(terms.barriers);
    CAPTURE(terms.cluster_size());
    CAPTURE(terms.unit);
    CAPTURE(terms.minimum);
    CAPTURE(terms.max_blocks);
    CAPTURE(terms.min_registers);
    CAPTURE(terms.block_varies);
    CAPTURE(terms.min_threads);
    CAPTURE(terms.dynamic_varies);
    CAPTURE(terms.dynamic_per_thread);
    CAPTURE(static_cast<int>(rule));
    CAPTURE(static_cast<int>(expected_violation(arch, terms, code)));
    REQUIRE(rule == expected_violation(arch, terms, code));
  }
  // Every rule was the first violation at least once.
  for (int rule = 0; rule <= static_cast<int>(violation::excess); ++rule) {
    CAPTURE(rule);
    CHECK(count[rule] > 0);
  }
}

TEST_CASE("the facts of a violation are the number that the contract reaches and the limit") {
  auto const facts = [](wg::architecture const& arch, resolved_contract const& terms) {
    return wg::facts_of(wg::first_violation(arch, terms), arch, terms);
  };
  resolved_contract terms;
  terms.block_x = 256;
  terms.minimum = 5;
  terms.max_registers = 64;
  CHECK(facts(wg::sm_86, terms).reached == 4);
  CHECK(facts(wg::sm_86, terms).limit == 5);
  terms.max_registers = 0;
  terms.max_blocks = 3;
  CHECK(facts(wg::sm_86, terms).reached == 5);
  CHECK(facts(wg::sm_86, terms).limit == 3);
  terms.static_shared_memory = 1000;
  terms.dynamic_shared_memory = 2147483647;
  CHECK(facts(wg::sm_90, terms).reached == 2147484647LL);
  CHECK(facts(wg::sm_90, terms).limit == 232448);
}
