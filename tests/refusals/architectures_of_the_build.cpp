// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: unknown compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS) [architecture]
// facts: architecture_guard<ComputeCapability=95>
// error: warpguard: a number in WARPGUARD_TARGETS lacks a 0: 750 is 7.5, 900 is 9.0, 1200 is 12.0 [short_target]
// facts: short_target_guard<Given=75, WriteInstead=750>
// facts: short_target_guard<Given=90, WriteInstead=900>
// facts: short_target_guard<Given=120, WriteInstead=1200>
// error: warpguard: WARPGUARD_TARGETS holds 100 times the compute capability: 750 is 7.5, 900 is 9.0, 1200 is 12.0
// facts: target_number_guard<Given=905>

// WARPGUARD_TARGETS names compute capabilities that exist, multiplied by 100: 75 and 90 lack a 0, there is no 9.5,
// 905 must not become 9.0 because it is divided by 10 and rounded down, and 120 is 1.2, not 12.0.

#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS 750, 900
#else
#define WARPGUARD_TARGETS 750, 75, 90, 950, 905, 120
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
