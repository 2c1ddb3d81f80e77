// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: WARPGUARD_TARGETS has too many targets [target_count]

// More compute capabilities than there are: a runaway list.

#define SIXTEEN 750, 750, 750, 750, 750, 750, 750, 750, 750, 750, 750, 750, 750, 750, 750, 750
#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS SIXTEEN, SIXTEEN, SIXTEEN, 750
#else
#define WARPGUARD_TARGETS SIXTEEN, SIXTEEN, SIXTEEN, SIXTEEN, 750
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

static_assert(wg::build_target_list::count >= 1);
