// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=800,900
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<90>, BlocksReached=8, BlocksRequired=9,
//    LimitedBy=limited_by::barriers, Fits=barriers_at_most<7>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<128>, wg::barriers<7>, wg::min_blocks_per_sm<9>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<128>, wg::barriers<8>, wg::min_blocks_per_sm<9>> {};
#endif
static_assert(wg::guarantee<app_contract>);
