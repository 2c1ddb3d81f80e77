// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a contract has no such option [unknown_option]
// facts: unknown_option_guard<Contract=app_contract, Option=int>
// fails: 2 errors, not 1

// The same rule is broken once more than the file states.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, int, float> {};
#endif
static_assert(wg::guarantee<app_contract>);
