// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests what measured_guarantee accepts, which limits it checks, and which checks it registers. refusals/ tests what
/// it refuses. Compiled with WARPGUARD_TARGETS=900.

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include "kernels.hpp"

namespace wg = warpguard;
namespace measured = warpguard::measured::app;
using wg::detail::broken_kernels;

namespace {

struct sum_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<42>, wg::static_shared_memory<1024>,
                                   wg::spill_budget<16>, wg::dynamic_shared_memory<2048>, wg::max_blocks_per_sm<8>> {};
struct scale_contract : wg::contract<wg::threads_per_block<64>, wg::max_registers<32>> {};

static_assert(wg::measured_guarantee<sum_contract, measured::sum>);
static_assert(wg::measured_guarantee<scale_contract, measured::scale::of_1>);

// By a kernel that is named with its contract.
void sum(float*) {}
using sum_kernel = wg::kernel<sum_contract, sum>;
static_assert(wg::measured_guarantee<sum_kernel, measured::sum>);
static_assert(wg::measured_guarantee<sum_kernel const, measured::sum>);

// ---- limits ---------------------------------------------------------------------------------------------------------

template <class Contract>
constexpr wg::measured_limits limits_on_90 = wg::detail::measured_limits_of(wg::sm_90, Contract::terms_on(90));

}  // namespace

TEST_CASE("the limits are the contract's terms") {
  wg::measured_limits const& limits = limits_on_90<sum_contract>;
  CHECK(limits.terms.threads() == 256);
  CHECK(limits.registers_allowed == 42);
  CHECK(limits.terms.static_shared_memory == 1024);
  CHECK(limits.terms.dynamic_shared_memory == 2048);
  CHECK(limits.terms.spill_budget == 16);
  CHECK(limits.terms.barriers == 1);
  CHECK(limits.blocks_required == 0);
  CHECK(limits.terms.blocks_allowed() == 8);
}

TEST_CASE("without max_registers, the launch bounds limit the registers") {
  CHECK(limits_on_90<wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<8>>>.registers_allowed == 32);
  CHECK(limits_on_90<wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<8>>>.blocks_required == 8);
  CHECK(limits_on_90<wg::contract<wg::threads_per_block<256>>>.registers_allowed == 255);
}

// ---- kernels that break a contract ----------------------------------------------------------------------------------

namespace {

constexpr broken_kernels broken_instances = wg::detail::broken_among<scale_contract, measured::every_kernel, 1, 4>;

// 2,000 kernels, of which every 25th breaks scale_contract. One constant expression cannot evaluate so many, and the
// list of violations stores only the first 64 of the 80.
struct many_kernels {
  static constexpr int count = 2000;
  static constexpr wg::measurement measurements[] = {{90, 32, 0, 0, 0, 0, 1, 360, false},
                                                     {90, 33, 0, 0, 0, 0, 1, 360, false}};
  static constexpr int architectures[] = {90};
  struct array {
    wg::measured_kernel_ref all[count] = {};
    constexpr array() {
      for (int i = 0; i < count; ++i) all[i] = {"scale", measurements + (i % 25 == 24 ? 1 : 0), 1, architectures, 1};
    }
  };
};
constexpr many_kernels::array many_values{};
struct many_list {
  static constexpr wg::measured_kernel_ref const* values = many_values.all;
};
constexpr broken_kernels broken_of_many = wg::detail::broken_among<scale_contract, many_list, 0, many_kernels::count>;

}  // namespace

TEST_CASE("the broken instances of a template are found with their architectures") {
  CHECK(broken_instances.count == 2);
  CHECK(broken_instances.first[0].index == 2);
  CHECK(broken_instances.first[0].compute_capability == 80);
  CHECK(broken_instances.first[1].index == 3);
  CHECK(broken_instances.first[1].compute_capability == 90);
}

TEST_CASE("all violations among many kernels are counted, and the first ones are listed") {
  CHECK(broken_of_many.count == 80);
  CHECK(broken_of_many.first[0].index == 24);
  CHECK(broken_of_many.first[63].index == 25 * 63 + 24);
}

TEST_CASE("a kernel is checked on the targets and on the architectures that its objects were compiled for") {
  wg::measured_kernel_ref const& kernel = measured::every_kernel::values[0];
  CHECK(wg::detail::is_checked_on(kernel, 80));
  CHECK(wg::detail::is_checked_on(kernel, 90));
  CHECK_FALSE(wg::detail::is_checked_on(kernel, 75));
  wg::measured_kernel_ref const elsewhere{"sum", nullptr, 0, nullptr, 0};
  CHECK(wg::detail::is_checked_on(elsewhere, 90));  // the target
  broken_kernels const broken = wg::detail::find_broken_kernels<scale_contract>(&elsewhere, 0, 1);
  CHECK(broken.count == 1);
  CHECK(broken.first[0].compute_capability == 90);
}

TEST_CASE("joined lists count more violations than they have room for") {
  broken_kernels left;
  for (int i = 0; i < 60; ++i) left.add({i, 90});
  broken_kernels right;
  for (int i = 60; i < 70; ++i) right.add({i, 90});
  broken_kernels const both = left.with(right);
  CHECK(both.count == 70);
  CHECK(both.first[59].index == 59);
  CHECK(both.first[60].index == 60);
  CHECK(both.first[63].index == 63);
  CHECK(right.with(left).first[63].index == 53);
}

// ---- refusals, as types ---------------------------------------------------------------------------------------------

TEST_CASE("the first refusal of a check is known without instantiating it") {
  using passing = wg::detail::measured_refusals<scale_contract, measured::scale::of_1>;
  CHECK(std::is_same_v<passing::first, wg::detail::no_refusal>);
  using broken = wg::detail::measured_refusals<scale_contract, measured::scale>;
  CHECK(std::is_same_v<broken::first,
                       wg::measured_registers_guard<scale_contract, measured::scale::of_2, wg::sm<80>, 48, 32>>);
  using ignored = wg::detail::measured_refusals<scale_contract, measured::scale::of_3>;
  CHECK(std::is_same_v<ignored::first, wg::ignored_bounds_guard<scale_contract, measured::scale::of_3, wg::sm<90>>>);
  using absent = wg::detail::measured_refusals<scale_contract, wg::absent_kernel>;
  CHECK(std::is_same_v<absent::first, wg::vanished_kernel_guard<scale_contract, wg::absent_kernel>>);
  using ambiguous = wg::detail::measured_refusals<scale_contract, wg::ambiguous_kernel>;
  CHECK(std::is_same_v<ambiguous::first, wg::ambiguous_kernel_guard<scale_contract, wg::ambiguous_kernel>>);
  using not_found = wg::detail::measured_refusals<scale_contract, wg::kernel_not_found>;
  CHECK(std::is_same_v<not_found::first, wg::kernel_text_guard<scale_contract, wg::kernel_not_found>>);
  using other = wg::detail::measured_refusals<scale_contract, int>;
  CHECK(std::is_same_v<other::first, wg::measured_kernel_guard<scale_contract, int>>);
}

// ---- the list of checks ---------------------------------------------------------------------------------------------

// In no_rtti.cpp, which is compiled with -fno-rtti.
wg::measured_kernel_ref const* kernel_checked_without_rtti();

namespace {

wg::detail::measured_check const* find_check(wg::measured_kernel_ref const* kernels) {
  for (auto const* check = wg::detail::measured_checks; check != nullptr; check = check->next) {
    if (check->kernels == kernels) return check;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("each check that passes is registered once") {
  int count = 0;
  for (auto const* check = wg::detail::measured_checks; check != nullptr; check = check->next) ++count;
  CHECK(count == 3);
}

TEST_CASE("a registered check has the contract's name and limits") {
  auto const* const check = find_check(measured::every_kernel::values + 0);
  REQUIRE(check != nullptr);
  CHECK(check->kernel_count == 1);
  bool const has_name = check->contract_name != nullptr;
  REQUIRE(has_name);
  CHECK(std::string(check->contract_name()).find("sum_contract") != std::string::npos);
  wg::measured_limits limits;
  CHECK(check->limits_on(90, limits));
  CHECK(limits.registers_allowed == 42);
  CHECK_FALSE(check->limits_on(123, limits));
}

TEST_CASE("without RTTI a check is registered without a name") {
  auto const* const check = find_check(kernel_checked_without_rtti());
  REQUIRE(check != nullptr);
  bool const has_name = check->contract_name != nullptr;
  CHECK_FALSE(has_name);
  wg::measured_limits limits;
  CHECK(check->limits_on(90, limits));
  CHECK(limits.terms.threads() == 96);
}
