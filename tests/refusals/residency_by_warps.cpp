// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<75>, BlocksReached=2, BlocksRequired=3,
//    LimitedBy=limited_by::warps, Fits=threads_per_block_of<320>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<320>, wg::min_blocks_per_sm<3>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<512>, wg::min_blocks_per_sm<3>> {};
#endif
static_assert(wg::guarantee<app_contract>);
