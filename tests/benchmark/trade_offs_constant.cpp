// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The trade-offs of one kernel on 12 architectures as constant expressions. trade_off_time.cmake measures how long a
/// compiler takes for them, and what the include alone takes (-DINCLUDE_ONLY).

#include <warpguard/answers.hpp>

#ifndef INCLUDE_ONLY
namespace wg = warpguard;

// A constant and no call in the assertion, which clang would evaluate three times.
template <int ComputeCapability>
constexpr int count = wg::trade_offs(*wg::find_architecture(ComputeCapability), {0}).count;

static_assert(count<70> > 0 && count<75> > 0 && count<80> > 0 && count<86> > 0 && count<87> > 0 && count<89> > 0);
static_assert(count<90> > 0 && count<100> > 0 && count<103> > 0 && count<110> > 0 && count<120> > 0 && count<121> > 0);
#endif
