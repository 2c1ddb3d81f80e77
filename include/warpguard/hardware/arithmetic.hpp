// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The integer arithmetic that every allocation rule is made of.

#pragma once

#include "host_device.hpp"

namespace warpguard::detail {

template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer min_of(Integer a, Integer b) {
  return b < a ? b : a;
}

/// `value`, or 0 where it does not hold, without a branch that a processor could mispredict.
WARPGUARD_HOST_DEVICE constexpr int value_if(bool holds, int value) { return value & -static_cast<int>(holds); }

/// `value` divided by `unit`, rounded up. Needs value >= 0 and unit > 0; cannot overflow.
template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer divide_up(Integer value, Integer unit) {
  return value == 0 ? 0 : (value - 1) / unit + 1;
}

/// The smallest multiple of `unit`, a power of two, that is at least `value`.
template <class Integer>
WARPGUARD_HOST_DEVICE constexpr Integer round_up(Integer value, Integer unit) {
  return (value + (unit - 1)) & ~(unit - 1);
}

}  // namespace warpguard::detail
