// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a contract states an option twice
// facts: duplicate_option_guard<Contract=app_contract, Option=barriers<2>, OtherOption=barriers<3>>

// The same option outside of on<> is no duplicate: on<> replaces it.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::barriers<2>>, wg::barriers<3>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::barriers<2>, wg::barriers<3>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
