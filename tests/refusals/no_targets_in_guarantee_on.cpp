// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: no target architecture is known: define WARPGUARD_TARGETS=750,900 or use guarantee_on
// facts: no_targets_guard<Contract=app_contract>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
#ifdef WARPGUARD_TWIN
static_assert(wg::guarantee_on<app_contract, wg::sm<90>>);
#else
static_assert(wg::guarantee_on<app_contract>);
#endif
