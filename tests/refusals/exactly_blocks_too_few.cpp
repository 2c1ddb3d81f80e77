// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=860
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<86>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<50176>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<40 * 1024>, wg::exactly_blocks_per_sm<2>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<60 * 1024>, wg::exactly_blocks_per_sm<2>> {};
#endif
static_assert(wg::guarantee<app_contract>);
