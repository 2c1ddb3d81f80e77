// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: on<> takes an architecture, such as sm<90>, and options other than on<>
// facts: on_guard<Contract=app_contract, Option=on<sm<75>, max_registers<40>>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::max_registers<40>>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::on<wg::sm<75>, wg::max_registers<40>>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
