// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a contract states an option twice
// facts: duplicate_option_guard<Contract=app_contract, Option=no_forced_bounds, OtherOption=no_forced_bounds>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::no_forced_bounds> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::no_forced_bounds, wg::no_forced_bounds> {};
#endif
static_assert(wg::guarantee<app_contract>);
