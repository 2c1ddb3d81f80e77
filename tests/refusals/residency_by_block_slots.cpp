// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<75>, BlocksReached=16, BlocksRequired=20,
//    LimitedBy=limited_by::block_slots, Fits=threads_per_block_of<64>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<64>, wg::min_warps_per_sm<20>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::min_warps_per_sm<20>> {};
#endif
static_assert(wg::guarantee<app_contract>);
