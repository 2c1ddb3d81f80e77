// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a rule of another guard
// facts: careless_guard<Number=1>
// fails: the message does not end in its anchor, {careless}

// A guard whose message ends in another anchor than its own.

#include <warpguard/warpguard.hpp>

template <int Number>
struct careless_guard {
  static constexpr bool holds() {
#ifndef WARPGUARD_TWIN
    static_assert(Number == 0, "warpguard: a rule of another guard [careful]");
#endif
    return true;
  }
};
static_assert(careless_guard<1>::holds());
