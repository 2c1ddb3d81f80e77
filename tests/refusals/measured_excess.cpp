// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: as measured, the kernel exceeds the contract's maximum residency
// facts: measured_excess_guard<Contract=app_contract, Kernel=app_sum, Architecture=sm<90>,
//    RegistersMeasured=32, BlocksReached=8, BlocksAllowed=4, LimitedBy=limited_by::several<limited_by::warps,
//    limited_by::registers>>

#include <warpguard/warpguard.hpp>

#include "measured_as.hpp"

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_sum : measured_as<app_sum, 90, 64> {};
#else
struct app_sum : measured_as<app_sum, 90, 32> {};
#endif
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::max_blocks_per_sm<4>> {};
static_assert(wg::measured_guarantee<app_contract, app_sum>);
