// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a contract has no such option [unknown_option]
// facts: unknown_option_guard<Contract=app_contract, Option=int>
// fails: an error that is not the stated refusal

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, int> {};
int broken = "not a number";
#endif
static_assert(wg::guarantee<app_contract>);
