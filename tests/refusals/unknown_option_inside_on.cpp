// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a contract has no such option
// facts: unknown_option_guard<Contract=app_contract, Option=int>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, int>> {};
#endif
static_assert(wg::guarantee<app_contract>);
