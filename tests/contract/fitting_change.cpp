// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Whoever makes the change that a refusal names has kept that rule, and gets no refusal that leads back.

#include <warpguard/contract/fitting_change.hpp>
#include <warpguard/contract/violation.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "random_terms.hpp"

namespace wg = warpguard;

namespace {

using wg::impossible;
using wg::resolved_contract;
using wg::violation;

/// Makes the change as a user would. Returns false if there is nothing to change.
bool follow(violation rule, wg::architecture const& arch, resolved_contract& terms) {
  bool changed = false;
  auto const set = [&changed](int& member, int value) {
    if (value == impossible || member == value) return;
    member = value;
    changed = true;
  };
  auto const set_bytes = [&](int bytes) {
    if (bytes == impossible) return;
    if (terms.static_shared_memory > bytes) set(terms.static_shared_memory, bytes);
    set(terms.dynamic_shared_memory, bytes - terms.static_shared_memory);
    set(terms.dynamic_per_thread, 0);
  };

  int const limit = static_cast<int>(wg::facts_of(rule, arch, terms).limit);
  wg::fitting_change change = wg::change_that_fits(rule, arch, terms);
  switch (rule) {
    case violation::missing_block: change.threads_per_block = 256; break;
    case violation::register_file: set(terms.min_registers, std::min(terms.min_registers, limit)); break;
    case violation::fixed_block: set(terms.min_threads, 0); break;
    case violation::empty_block_range: set(terms.min_threads, limit); break;
    case violation::empty_register_range: set(terms.min_registers, limit); break;
    case violation::block_size:
      change.threads_per_block = limit;
      if (terms.min_threads > limit) set(terms.min_threads, limit);
      break;
    case violation::registers_per_thread:
      if (terms.max_registers > limit) change.registers_at_most = limit;
      if (terms.min_registers > limit) set(terms.min_registers, limit);
      break;
    case violation::static_shared_memory: set(terms.static_shared_memory, limit); break;
    case violation::shared_memory: change.shared_memory_at_most = limit; break;
    case violation::cluster: set(terms.cluster_x, limit); break;
    case violation::minimum_exceeds_maximum:
      set(terms.max_blocks, static_cast<int>(wg::facts_of(rule, arch, terms).reached));
      break;
    default: break;
  }
  set(terms.max_registers, change.registers_at_most);
  set(terms.min_registers, change.registers_at_least);
  if (change.least_threads != impossible) {
    set(terms.min_threads, change.least_threads);
    set(terms.block_x, change.most_threads);
  }
  set(terms.barriers, change.barriers_at_most);
  set(terms.block_x, change.threads_per_block);
  set_bytes(change.shared_memory_at_most);
  set_bytes(change.shared_memory_at_least);
  bool const is_exact = terms.unit == wg::minimum_unit::exact_blocks;
  if (change.promise_at_most != impossible) {
    set(terms.minimum, change.promise_at_most);
    if (!is_exact) set(terms.unit, wg::minimum_unit::blocks);
  }
  if (change.promise_at_least != impossible) {
    // Instead of an exact number, a minimum and a maximum.
    if (is_exact) set(terms.unit, wg::minimum_unit::blocks);
    if (terms.max_blocks < change.promise_at_least) set(terms.max_blocks, change.promise_at_least);
  }
  return changed;
}

}  // namespace

TEST_CASE("following the refusals ends, and no rule is broken twice") {
  numbers random;
  int refused = 0;
  int both_ways = 0;
  for (int round = 0; round < 300000; ++round) {
    resolved_contract const written = random_terms(random);
    wg::architecture const& arch = *wg::architectures[random.below(row_count)];
    resolved_contract terms = written;
    bool broken[static_cast<int>(violation::excess) + 1] = {};
    bool ended = false;
    for (int step = 0; step < 12 && !ended; ++step) {
      violation const rule = wg::first_violation(arch, terms);
      ended = rule == violation::none;
      if (ended || broken[static_cast<int>(rule)] || !follow(rule, arch, terms)) break;
      broken[static_cast<int>(rule)] = true;
      ++refused;
    }
    bool const missed = broken[static_cast<int>(violation::residency)];
    bool const exceeded = broken[static_cast<int>(violation::excess)];
    // Of amounts that launches choose, the largest may miss the minimum and the smallest exceed the maximum.
    bool const is_fixed = written.block_varies == 0 && written.dynamic_varies == 0;
    bool const is_both_ways = is_fixed && missed && exceeded;
    both_ways += is_both_ways ? 1 : 0;
    if (ended && !is_both_ways) continue;
    CAPTURE(arch.compute_capability);
    CAPTURE(written.threads());
    CAPTURE(written.max_registers);
    CAPTURE(written.static_shared_memory);
    CAPTURE(written.dynamic_shared_memory);
    CAPTURE(written.barriers);
    CAPTURE(written.unit);
    CAPTURE(written.minimum);
    CAPTURE(written.max_blocks);
    CAPTURE(written.min_blocks_bound);
    CAPTURE(written.min_registers);
    CAPTURE(written.block_varies);
    CAPTURE(written.min_threads);
    CAPTURE(written.dynamic_varies);
    CAPTURE(written.dynamic_per_thread);
    REQUIRE(ended);
    // A change for the minimum does not break the maximum, and the other way round.
    REQUIRE(!is_both_ways);
  }
  CHECK(refused > 100000);
  CHECK(both_ways == 0);
}

TEST_CASE("a change by hand") {
  resolved_contract terms;
  terms.block_x = 32;
  terms.dynamic_shared_memory = 32768;
  terms.unit = wg::minimum_unit::exact_blocks;
  terms.minimum = 24;
  // 64 KiB hold 25 blocks of 2560 bytes or 23 of 2816, but never exactly 24. 73 registers keep out the 25th: they are
  // allocated as 80, of which 4 register files of 16384 hold 6 warps each.
  CHECK(wg::first_violation(wg::sm_53, terms) == violation::residency);
  CHECK(wg::change_that_fits(violation::residency, wg::sm_53, terms).shared_memory_at_most == 2560);
  CHECK(wg::change_that_fits(violation::residency, wg::sm_53, terms).registers_at_least == 73);

  // With 96 registers 10 blocks fit, and 6401 bytes keep one of them out.
  terms = {};
  terms.block_x = 64;
  terms.max_registers = 128;
  terms.unit = wg::minimum_unit::exact_blocks;
  terms.minimum = 9;
  CHECK(wg::first_violation(wg::sm_75, terms) == violation::residency);
  CHECK(wg::change_that_fits(violation::residency, wg::sm_75, terms).registers_at_most == 96);
  CHECK(wg::change_that_fits(violation::residency, wg::sm_75, terms).shared_memory_at_least == 6401);

  // 9 blocks of 256 threads are out of reach with any number of registers, so none is named.
  terms = {};
  terms.block_x = 256;
  terms.minimum = 9;
  terms.min_blocks_bound = 0;
  CHECK(wg::first_violation(wg::sm_90, terms) == violation::residency);
  CHECK(wg::change_that_fits(violation::residency, wg::sm_90, terms).registers_at_most == impossible);
  CHECK(wg::change_that_fits(violation::residency, wg::sm_90, terms).threads_per_block == 224);

  // The minimum needs at most 64 registers, and the contract states at least 65: only a smaller promise is kept. As a
  // constant, because there an overflow is an error.
  constexpr resolved_contract contradicting = [] {
    resolved_contract result;
    result.block_x = 256;
    result.max_registers = 128;
    result.min_registers = 65;
    result.minimum = 4;
    return result;
  }();
  constexpr wg::fitting_change smaller = wg::change_that_fits(violation::residency, wg::sm_75, contradicting);
  CHECK(smaller.registers_at_most == impossible);
  CHECK(smaller.promise_at_most == 2);
}
