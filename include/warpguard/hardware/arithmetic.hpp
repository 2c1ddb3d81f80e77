// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Integer arithmetic of the allocation rules.

#pragma once

#include "host_device.hpp"

namespace warpguard::detail {

template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer min_of(Integer first, Integer other) {
  return other < first ? other : first;
}

template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer max_of(Integer first, Integer other) {
  return first < other ? other : first;
}

/// Returns `value` divided by `unit`, rounded up. Needs value >= 0 and unit > 0; cannot overflow.
template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer divide_up(Integer value, Integer unit) {
  return value == 0 ? 0 : (value - 1) / unit + 1;
}

/// Returns the smallest multiple of `unit`, a power of two, that is at least `value`.
template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer round_up(Integer value, Integer unit) {
  return (value + (unit - 1)) & ~(unit - 1);
}

/// Returns the smaller of `most` and value * factor / divisor, rounded down. Needs value >= 0, factor >= 0, divisor > 0
/// and most >= 0; cannot overflow.
WARPGUARD_HOST_DEVICE constexpr long long multiply_divide(long long value, int factor, long long divisor,
                                                          long long most) {
  // The binary digits of `factor`, the highest first; quotient and rest are those of value * (the digits so far).
  unsigned long long const unit = static_cast<unsigned long long>(divisor);
  unsigned long long const whole = static_cast<unsigned long long>(value) / unit;
  unsigned long long const part = static_cast<unsigned long long>(value) % unit;
  unsigned long long const limit = static_cast<unsigned long long>(most);
  unsigned long long quotient = 0;
  unsigned long long rest = 0;
  for (int digit = 30; digit >= 0; --digit) {
    bool const is_set = (factor >> digit & 1) != 0;
    quotient = 2 * quotient + (2 * rest >= unit ? 1 : 0);
    rest = 2 * rest >= unit ? 2 * rest - unit : 2 * rest;
    if (quotient > limit) return most;  // it only grows
    if (is_set) {
      quotient += whole + (rest + part >= unit ? 1 : 0);
      rest = rest + part >= unit ? rest + part - unit : rest + part;
    }
  }
  return quotient > limit ? most : static_cast<long long>(quotient);
}

}  // namespace warpguard::detail
