// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: as measured, the kernel misses the contract's minimum residency
// facts: measured_residency_guard<Contract=app_contract, Kernel=app_sum, Architecture=sm<90>,
//    RegistersMeasured=64, BlocksReached=4, BlocksRequired=6, LimitedBy=limited_by::registers,
//    Fits=registers_at_most<40>>

#include <warpguard/warpguard.hpp>

#include "measured_as.hpp"

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_sum : measured_as<app_sum, 90, 40> {};
#else
struct app_sum : measured_as<app_sum, 90, 64> {};
#endif
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::min_blocks_per_sm<6>> {};
static_assert(wg::measured_guarantee<app_contract, app_sum>);
