// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: nobody knows this compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS)
// facts: architecture_guard<ComputeCapability=95>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
constexpr wg::architecture row = wg::sm<90>::limits();
#else
constexpr wg::architecture row = wg::sm<95>::limits();
#endif
static_assert(row.max_warps_per_sm > 0);
