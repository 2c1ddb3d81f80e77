// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests first_measured_violation(): each rule, their order, and several measurements of one kernel.

#include <warpguard/measured/measured_violation.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace wg = warpguard;
using wg::measured_violation;

namespace {

// 256 threads on 9.0: 40 registers allow 6 blocks, 32 allow 8.
constexpr wg::measured_limits limits() {
  wg::measured_limits result;
  result.terms.block_x = 256;
  result.terms.barriers = 2;
  result.terms.min_registers = 24;
  result.registers_allowed = 40;
  result.terms.spill_budget = 16;
  result.terms.unit = wg::minimum_unit::exact_blocks;
  result.terms.minimum = 6;
  result.terms.static_shared_memory = 1024;
  return result;
}
constexpr wg::measurement at_limits() { return {90, 40, 1024, 16, 16, 16, 2, 360, false}; }

constexpr measured_violation violation_of(wg::measurement const& found) {
  return wg::first_measured_violation(wg::sm_90, limits(), found);
}

}  // namespace

TEST_CASE("amounts at their limits violate nothing") {
  static_assert(violation_of(at_limits()) == measured_violation::none);
  CHECK(violation_of(at_limits()) == measured_violation::none);
}

TEST_CASE("each amount beyond its limit is a violation") {
  struct {
    char const* what;
    int wg::measurement::*member;
    int value;
    measured_violation expected;
  } const cases[] = {
      {"one register more", &wg::measurement::registers, 41, measured_violation::registers},
      {"one register less than stated", &wg::measurement::registers, 23, measured_violation::few_registers},
      {"one byte stored more", &wg::measurement::spill_stores, 17, measured_violation::spills},
      {"one byte loaded more", &wg::measurement::spill_loads, 17, measured_violation::spills},
      {"static memory more", &wg::measurement::static_shared_memory, 1025, measured_violation::static_shared_memory},
      {"static memory less", &wg::measurement::static_shared_memory, 1023, measured_violation::none},
      {"one barrier more", &wg::measurement::barriers, 3, measured_violation::barriers},
      {"fewer barriers", &wg::measurement::barriers, 0, measured_violation::none},
      {"barriers not reported", &wg::measurement::barriers, -1, measured_violation::none},
      {"registers for more blocks", &wg::measurement::registers, 32, measured_violation::excess},
      {"stack is not limited", &wg::measurement::stack, 1 << 20, measured_violation::none},
      {"constant memory is not limited", &wg::measurement::constant_memory, 1 << 20, measured_violation::none},
  };
  for (auto const& each : cases) {
    CAPTURE(each.what);
    wg::measurement found = at_limits();
    found.*each.member = each.value;
    CHECK(violation_of(found) == each.expected);
  }
}

TEST_CASE("ignored launch bounds are a violation") {
  wg::measurement found = at_limits();
  found.bounds_ignored = true;
  CHECK(violation_of(found) == measured_violation::bounds_ignored);
}

TEST_CASE("amounts within their limits may still miss the residency together") {
  wg::measured_limits more = limits();
  more.registers_allowed = 64;
  wg::measurement found = at_limits();
  found.registers = 48;
  CHECK(wg::first_measured_violation(wg::sm_90, more, found) == measured_violation::residency);
  more.registers_allowed = 40;
  found.registers = 40;
  more.terms.dynamic_shared_memory = 64 * 1024;
  CHECK(wg::first_measured_violation(wg::sm_90, more, found) == measured_violation::residency);
}

TEST_CASE("where launches choose the block, every block size counts") {
  wg::measured_limits range = limits();
  range.registers_allowed = 64;
  range.terms.unit = wg::minimum_unit::warps;
  range.terms.minimum = 32;
  range.terms.block_x = 256;
  range.terms.block_varies = 1;
  wg::measurement found = at_limits();
  // 40 registers: 48 warps, of which blocks of 1 to 8 warps fill at least 42. But 32 blocks of one warp are the most.
  CHECK(wg::first_measured_violation(wg::sm_90, range, found) == measured_violation::none);
  range.terms.minimum = 33;
  CHECK(wg::first_measured_violation(wg::sm_90, range, found) == measured_violation::residency);
  range.terms.min_threads = 33;
  CHECK(wg::first_measured_violation(wg::sm_90, range, found) == measured_violation::none);
  range.terms.minimum = 43;
  CHECK(wg::first_measured_violation(wg::sm_90, range, found) == measured_violation::residency);
}

TEST_CASE("the first rule is reported when several are broken") {
  wg::measurement found{90, 255, 2048, 64, 64, 64, 16, 360, true};
  CHECK(violation_of(found) == measured_violation::bounds_ignored);
  found.bounds_ignored = false;
  CHECK(violation_of(found) == measured_violation::registers);
  found.registers = 40;
  CHECK(violation_of(found) == measured_violation::spills);
  found.spill_stores = found.spill_loads = 0;
  CHECK(violation_of(found) == measured_violation::static_shared_memory);
  found.static_shared_memory = 1024;
  CHECK(violation_of(found) == measured_violation::barriers);
}

TEST_CASE("the violating measurement is found among those of several objects") {
  wg::measurement all[] = {at_limits(), at_limits(), at_limits(), at_limits()};
  all[0].compute_capability = 80;
  all[0].registers = 255;
  all[2].registers = 41;
  wg::measured_kernel_ref const kernel{"sum", all, 4, nullptr, 0};
  wg::violating_measurement const found = wg::first_violating_measurement(wg::sm_90, limits(), kernel);
  CHECK(found.rule == measured_violation::registers);
  CHECK(found.index == 2);

  wg::measured_kernel_ref const first_two{"sum", all, 2, nullptr, 0};
  CHECK(wg::first_violating_measurement(wg::sm_90, limits(), first_two).rule == measured_violation::none);
  CHECK(wg::first_violating_measurement(wg::sm_90, limits(), first_two).index == 1);
}

TEST_CASE("a kernel without a measurement on the architecture is missing") {
  wg::measurement const one = at_limits();
  wg::measured_kernel_ref const kernel{"sum", &one, 1, nullptr, 0};
  CHECK(wg::first_violating_measurement(wg::sm_80, limits(), kernel).rule == measured_violation::missing);
  CHECK(wg::first_violating_measurement(wg::sm_80, limits(), kernel).index == -1);
}

TEST_CASE("each violation has its own description") {
  std::set<std::string> words;
  for (int i = 0; i <= static_cast<int>(measured_violation::excess); ++i) {
    words.insert(wg::words_of(static_cast<measured_violation>(i)));
  }
  CHECK(words.size() == static_cast<std::size_t>(measured_violation::excess) + 1);
  CHECK(words.count("") == 0);
}
