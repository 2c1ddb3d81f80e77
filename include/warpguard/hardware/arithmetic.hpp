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

}  // namespace warpguard::detail
