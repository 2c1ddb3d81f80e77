// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,800
// error: warpguard: nobody knows this compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS)
// facts: architecture_guard<ComputeCapability=85>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::compatible<wg::sm<86>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::compatible<wg::sm<85>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
