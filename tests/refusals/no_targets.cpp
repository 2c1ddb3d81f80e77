// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// only: g++ clang
// error: warpguard: no target architecture is known: define WARPGUARD_TARGETS=750,900 or use guarantee_on [no_targets]
// facts: no_targets_guard<Contract=app_contract>

#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS 750, 900
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
