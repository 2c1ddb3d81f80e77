// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Numbers with up to two decimals, as the program prints all percentages: 75, 62.5, 81.25, 83.33.

#pragma once

#include <string>

namespace measure {

/// Returns hundredths of `part / whole`, rounded half up. Needs numbers that are not negative. 0 if `whole` is 0.
inline long long hundredths_of(long long part, long long whole) {
  for (; part > 400000000000000 || whole > 400000000000000; part /= 2) whole /= 2;  // keeps 200 * part below 2^63
  return whole > 0 ? (200 * part + whole) / (2 * whole) : 0;
}

/// Writes hundredths without zeros at the end: 6250 is 62.5.
inline std::string decimal_of(long long hundredths) {
  std::string const whole = std::to_string(hundredths / 100);
  long long const rest = hundredths % 100;
  if (rest == 0) return whole;
  if (rest % 10 == 0) return whole + "." + std::to_string(rest / 10);
  return whole + (rest < 10 ? ".0" : ".") + std::to_string(rest);
}

/// Returns hundredths of a percent, rounded half up: 13 of 16 are 8125.
inline long long hundredths_of_percent(long long part, long long whole) {
  for (; part > 4000000000000 || whole > 4000000000000; part /= 2) whole /= 2;
  return hundredths_of(100 * part, whole);
}

/// Returns the part of `whole` in percent, without the sign: "81.25". Nothing of nothing is 0.
inline std::string percent_of(long long part, long long whole) {
  return decimal_of(hundredths_of_percent(part, whole));
}

}  // namespace measure
