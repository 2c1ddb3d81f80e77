// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<75>, BlocksReached=16, BlocksRequired=17,
//    LimitedBy=limited_by::block_slots, Fits=promise_at_most<16>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::min_blocks_per_sm<16>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::min_blocks_per_sm<17>> {};
#endif
static_assert(wg::guarantee<app_contract>);
