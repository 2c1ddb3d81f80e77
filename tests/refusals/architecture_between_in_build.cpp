// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: nobody knows this compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS)
// facts: architecture_guard<ComputeCapability=-905>

// Divided by 10 and rounded down it would be 9.0.

#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS 750, 900
#else
#define WARPGUARD_TARGETS 750, 905
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
