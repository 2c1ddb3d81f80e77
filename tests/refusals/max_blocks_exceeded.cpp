// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750
// error: warpguard: the contract's maximum residency is exceeded
// facts: excess_guard<Contract=app_contract, Architecture=sm<75>, BlocksReached=8, BlocksAllowed=4,
//    LimitedBy=limited_by::warps, Fits=shared_memory_at_least<13057>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<128>, wg::max_blocks_per_sm<4>, wg::dynamic_shared_memory<13057>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<128>, wg::max_blocks_per_sm<4>> {};
#endif
static_assert(wg::guarantee<app_contract>);
