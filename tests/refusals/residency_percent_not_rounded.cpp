// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<70>, BlocksReached=4, BlocksRequired=5,
//    LimitedBy=limited_by::registers, Fits=registers_at_most<32>>

// 4 blocks are 40 of 64 warps, 62.5 %.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<320>, wg::max_registers<37>, wg::min_occupancy<62>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<320>, wg::max_registers<37>, wg::min_occupancy<63>> {};
#endif
static_assert(wg::guarantee_on<app_contract, wg::sm<70>>);
