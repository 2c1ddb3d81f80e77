// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// EXPECT(clause) for constexpr functions that return bool. The function continues if the clause is true. In a constant
/// expression, a false clause is a compile error at its line. At run time doctest reports the clause and its line, and
/// the function returns false.
///
///     constexpr bool test_halves() {
///       EXPECT(half_of(4) == 2);
///       EXPECT(half_of(5) == 2);
///       return true;
///     }
///     static_assert(test_halves());
///     TEST_CASE("halves") { CHECK(test_halves()); }

#pragma once

#include <doctest/doctest.h>

#include <string>

namespace check {

/// Not constexpr, so that a call in a constant expression is an error.
inline void clause_is_false(char const* clause, char const* file, int line) {
  DOCTEST_ADD_FAIL_CHECK_AT(file, line, "EXPECT( ", std::string(clause), " ) is false");
}

}  // namespace check

#define EXPECT(...)                                               \
  do {                                                            \
    if (!(__VA_ARGS__)) {                                         \
      ::check::clause_is_false(#__VA_ARGS__, __FILE__, __LINE__); \
      return false;                                               \
    }                                                             \
  } while (false)
