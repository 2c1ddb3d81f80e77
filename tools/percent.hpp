// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Numbers with up to two decimals, as the program prints all percentages: 75, 62.5, 81.25, 83.33.

#pragma once

#include <string>

#include "hundredths.hpp"

namespace measure {

/// Writes hundredths without zeros at the end: 6250 is 62.5.
inline std::string decimal_of(long long hundredths) {
  std::string const whole = std::to_string(hundredths / 100);
  long long const rest = hundredths % 100;
  if (rest == 0) return whole;
  if (rest % 10 == 0) return whole + "." + std::to_string(rest / 10);
  return whole + (rest < 10 ? ".0" : ".") + std::to_string(rest);
}

/// Returns the part of `whole` in percent, without the sign: "81.25". Nothing of nothing is 0.
inline std::string percent_of(long long part, long long whole) {
  return decimal_of(hundredths_of_percent(part, whole));
}

}  // namespace measure
