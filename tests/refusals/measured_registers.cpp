// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: ptxas used more registers than the contract allows
// facts: measured_registers_guard<Contract=app_contract, Kernel=app_sum, Architecture=sm<90>,
//    RegistersMeasured=48, RegistersAllowed=40>

#include <warpguard/warpguard.hpp>

#include "measured_as.hpp"

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_sum : measured_as<app_sum, 90, 40> {};
#else
struct app_sum : measured_as<app_sum, 90, 48> {};
#endif
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>> {};
static_assert(wg::measured_guarantee<app_contract, app_sum>);
