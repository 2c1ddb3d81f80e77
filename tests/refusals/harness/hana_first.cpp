// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: Hana speaks first
// fails: Hana's internals come before the facts

// A guard whose arguments are Hana's, with no fact before them.

#include <warpguard/warpguard.hpp>

#include <boost/hana/tuple.hpp>

namespace wg = warpguard;

template <class Architectures>
struct careless_guard {
  static constexpr bool holds() {
#ifndef WARPGUARD_TWIN
    static_assert(sizeof(Architectures) == 0, "warpguard: Hana speaks first");
#endif
    return true;
  }
};
static_assert(careless_guard<boost::hana::tuple<wg::sm<75>, wg::sm<90>>>::holds());
