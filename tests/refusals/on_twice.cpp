// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a contract has one on<> for each architecture, not two
// facts: repeated_architecture_guard<Contract=app_contract, Option=on<sm<90>, max_registers<40>>,
//    OtherOption=on<sm<90>, barriers<2>>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::max_registers<40>>,
                                   wg::on<wg::sm<75>, wg::barriers<2>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::max_registers<40>>,
                                   wg::on<wg::sm<90>, wg::barriers<2>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
