// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// EXPECT(clause) in a constexpr function that returns bool: the function goes on if the clause is true. If it is
/// false, the failure names the clause. In a constant expression the compilation stops with an error at the line of the
/// clause; at run time doctest reports clause and line, and the function returns false.
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

/// Is not constexpr: a constant expression that calls it is an error.
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
