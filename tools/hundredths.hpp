// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Parts in hundredths of a percent, in integers. Includes no library: the calculator's module needs it too.

#pragma once

namespace measure {

/// Returns hundredths of `part / whole`, rounded half up. Needs numbers that are not negative. 0 if `whole` is 0.
constexpr long long hundredths_of(long long part, long long whole) {
  for (; part > 400000000000000 || whole > 400000000000000; part /= 2) whole /= 2;  // keeps 200 * part below 2^63
  return whole > 0 ? (200 * part + whole) / (2 * whole) : 0;
}

/// Returns hundredths of a percent, rounded half up: 13 of 16 are 8125.
constexpr long long hundredths_of_percent(long long part, long long whole) {
  for (; part > 4000000000000 || whole > 4000000000000; part /= 2) whole /= 2;
  return hundredths_of(100 * part, whole);
}

}  // namespace measure
