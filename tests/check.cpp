// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests EXPECT at run time. In a constant expression a false clause does not compile.

#include "check.hpp"

namespace {

constexpr bool is_even_and_positive(int n) {
  EXPECT(n % 2 == 0);
  EXPECT(n > 0);
  return true;
}
static_assert(is_even_and_positive(4));

}  // namespace

TEST_CASE("a false clause fails the test and ends the function" * doctest::should_fail()) {
  int const volatile n = -2;
  CHECK_FALSE(is_even_and_positive(n));
}
