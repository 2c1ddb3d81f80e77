// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests register budgets of warp-specialised kernels: published ones and every fault. The result of
/// max_registers_for() is checked with check_warp_roles().

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/warp_roles.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <cstddef>
#include <vector>

namespace wg = warpguard;

namespace {

/// The warp roles of GEMMs for 9.0: a producer warpgroup and two consumer warpgroups, 384 threads with 168 registers.
constexpr wg::kernel_resources gemm{384, 168};
constexpr wg::warp_role gemm_roles[] = {{4, 40}, {8, 232}};

constexpr bool test_budget() {
  wg::role_budget const budget = wg::check_warp_roles(wg::sm_90, gemm, gemm_roles);
  EXPECT(budget.holds());
  EXPECT(budget.role == -1);
  EXPECT(budget.given == 384 * 168);
  EXPECT(budget.wanted == 128 * 40 + 256 * 232);
  EXPECT(budget.given == budget.wanted);
  // 161 registers are allocated as 168.
  EXPECT(wg::check_warp_roles(wg::sm_90, {384, 161}, gemm_roles).holds());
  EXPECT(wg::check_warp_roles(wg::sm_90, {384, 160}, gemm_roles).fault == wg::role_fault::registers_together);
  // If the producer keeps 24, the consumers get 240.
  EXPECT(wg::check_warp_roles(wg::sm_90, gemm, {{4, 24}, {8, 240}}).holds());
  return true;
}
static_assert(test_budget());

constexpr bool test_faults() {
  using fault = wg::role_fault;
  auto const fault_of = [](wg::architecture const& row, wg::kernel_resources const& kernel, wg::warp_role first,
                           wg::warp_role second) {
    return wg::check_warp_roles(row, kernel, {first, second}).fault;
  };
  EXPECT(fault_of(wg::sm_89, gemm, {4, 40}, {8, 232}) == fault::architecture);
  EXPECT(fault_of({}, gemm, {4, 40}, {8, 232}) == fault::architecture);
  EXPECT(fault_of(wg::sm_90, {384}, {4, 40}, {8, 232}) == fault::kernel);
  EXPECT(fault_of(wg::sm_90, {384, 176}, {4, 40}, {8, 232}) == fault::kernel);  // more than 65536 in all
  EXPECT(fault_of(wg::sm_90, {352, 168}, {4, 40}, {7, 232}) == fault::block_size);
  EXPECT(fault_of(wg::sm_90, gemm, {3, 40}, {9, 232}) == fault::warps);
  EXPECT(fault_of(wg::sm_90, gemm, {0, 40}, {12, 160}) == fault::warps);
  EXPECT(fault_of(wg::sm_90, gemm, {-4, 40}, {16, 160}) == fault::warps);
  EXPECT(fault_of(wg::sm_90, gemm, {4, 44}, {8, 232}) == fault::registers_per_thread);
  EXPECT(fault_of(wg::sm_90, gemm, {4, 16}, {8, 232}) == fault::registers_per_thread);
  EXPECT(fault_of(wg::sm_90, gemm, {4, 24}, {8, 256}) == fault::registers_per_thread);
  EXPECT(fault_of(wg::sm_90, {384, 168}, {4, 40}, {4, 232}) == fault::warps_together);
  EXPECT(fault_of(wg::sm_90, {384, 168}, {4, 40}, {12, 104}) == fault::warps_together);
  EXPECT(fault_of(wg::sm_90, {384, 168}, {INT_MAX - 3, 40}, {INT_MAX - 3, 40}) == fault::warps_together);
  EXPECT(fault_of(wg::sm_90, gemm, {4, 40}, {8, 240}) == fault::registers_together);
  EXPECT(wg::check_warp_roles(wg::sm_90, gemm, gemm_roles, 0).fault == fault::no_roles);
  EXPECT(wg::check_warp_roles(wg::sm_90, gemm, gemm_roles, INT_MIN).fault == fault::no_roles);
  // `role` is the first role with a fault.
  EXPECT(wg::check_warp_roles(wg::sm_90, gemm, {{4, 40}, {8, 20}}).role == 1);
  return true;
}
static_assert(test_faults());

constexpr bool test_max_registers() {
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, gemm_roles, 1) == 232);
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, gemm_roles, 0) == 40);
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, {{4, 48}, {8, 0}}, 1) == 224);  // 228 are left
  EXPECT(wg::max_registers_for(wg::sm_90, {128, 255}, {{4, 0}}, 0) == 248);
  // The other role leaves less than 24.
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, {{4, 0}, {8, 248}}, 0) == wg::impossible);
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, gemm_roles, 2) == wg::impossible);
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, gemm_roles, -1) == wg::impossible);
  EXPECT(wg::max_registers_for(wg::sm_80, gemm, gemm_roles, 1) == wg::impossible);
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, {{4, 41}, {8, 232}}, 1) == wg::impossible);
  EXPECT(wg::max_registers_for(wg::sm_90, gemm, {{4, 40}, {4, 232}}, 1) == wg::impossible);
  return true;
}
static_assert(test_max_registers());

TEST_CASE("worked examples") {
  CHECK(test_budget());
  CHECK(test_faults());
  CHECK(test_max_registers());
}

TEST_CASE("max_registers_for() returns the largest legal number, or impossible if there is none") {
  inputs::random_source random(47);
  long possible = 0;
  for (int i = 0; i < 200000; ++i) {
    wg::architecture const& row = *wg::architectures[random.between(23, 30)];
    wg::kernel_resources const kernel{128 * random.between(1, 9), random.between(1, 260)};
    std::vector<wg::warp_role> roles(static_cast<std::size_t>(random.between(1, 3)));
    for (wg::warp_role& role : roles) {
      role = {4 * random.between(1, 4) + (random.between(0, 30) == 0 ? 1 : 0),
              8 * random.between(2, 32) + (random.between(0, 30) == 0 ? 1 : 0)};
    }
    int const count = static_cast<int>(roles.size());
    int const index = random.between(0, count - 1);
    int const answer = wg::max_registers_for(row, kernel, roles.data(), count, index);
    int expected = wg::impossible;
    for (int registers = 0; registers <= 264; ++registers) {
      roles[static_cast<std::size_t>(index)].registers_per_thread = registers;
      if (wg::check_warp_roles(row, kernel, roles.data(), count).holds()) expected = registers;
    }
    possible += expected != wg::impossible;
    if (answer != expected) {
      INFO("number ", i);
      REQUIRE(answer == expected);
    }
  }
  CHECK(possible > 1000);
}

TEST_CASE("any int is a valid input") {
  inputs::random_source random(53);
  auto const any = [&random] { return random.between(0, 1) == 0 ? random.extreme() : random.between(-8, 256); };
  for (int i = 0; i < 300000; ++i) {
    wg::kernel_resources kernel = gemm;
    if (random.between(0, 2) == 0) kernel.threads_per_block = any();
    if (random.between(0, 2) == 0) kernel.registers_per_thread = any();
    wg::warp_role const roles[] = {{any(), any()}, {any(), any()}, {4, any()}};
    wg::architecture row = wg::sm_90;
    if (random.between(0, 3) == 0) {
      row = inputs::synthetic_architecture(random);
      row.compute_capability = 90;
    }
    wg::role_budget const budget = wg::check_warp_roles(row, kernel, roles);
    REQUIRE(budget.role >= -1);
    REQUIRE(budget.role < 3);
    if (budget.holds()) {
      REQUIRE(budget.wanted > 0);
      REQUIRE(budget.wanted <= budget.given);
    }
    int const index = any();
    int const answer = wg::max_registers_for(row, kernel, roles, index);
    if (answer != wg::impossible) {
      REQUIRE(answer >= 24);
      REQUIRE(answer % 8 == 0);
    }
  }
}

}  // namespace
