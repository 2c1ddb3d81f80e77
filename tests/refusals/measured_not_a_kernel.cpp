// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: this type is not a measured kernel
// facts: measured_kernel_guard<Contract=app_contract, Kernel=app_other>

#include <warpguard/warpguard.hpp>

#include "measured_as.hpp"

namespace wg = warpguard;

struct app_sum : measured_as<app_sum, 90, 40> {};

struct app_other {};

struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>> {};
#ifdef WARPGUARD_TWIN
static_assert(wg::measured_guarantee<app_contract, app_sum>);
#else
static_assert(wg::measured_guarantee<app_contract, app_other>);
#endif
