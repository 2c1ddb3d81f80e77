// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=800,860
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<86>, BlocksReached=6, BlocksRequired=8,
//    LimitedBy=limited_by::warps, Fits=threads_per_block_of<192>>
// facts: residency_guard<Contract=app_contract, Architecture=sm<89>, BlocksReached=6, BlocksRequired=8,
//    LimitedBy=limited_by::warps, Fits=threads_per_block_of<192>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<6>, wg::compatible<wg::sm<86>, wg::sm<89>>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<8>, wg::compatible<wg::sm<86>, wg::sm<89>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
