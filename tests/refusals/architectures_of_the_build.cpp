// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: unknown compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS)
// facts: architecture_guard<ComputeCapability=-75>
// facts: architecture_guard<ComputeCapability=9>
// facts: architecture_guard<ComputeCapability=95>
// facts: architecture_guard<ComputeCapability=-905>

// WARPGUARD_TARGETS names compute capabilities that exist, multiplied by 100: 75 and 90 lack a 0, there is no 9.5, and
// 905 must not become 9.0 because it is divided by 10 and rounded down.

#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS 750, 900
#else
#define WARPGUARD_TARGETS 750, 75, 90, 950, 905
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
