// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>

// However often a contract is checked, an architecture is listed once.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
constexpr int bytes = 32 * 1024;
#else
constexpr int bytes = 40 * 1024;
#endif
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<bytes>, wg::min_blocks_per_sm<2>> {};
static_assert(wg::guarantee<app_contract>);
static_assert(wg::guarantee<app_contract>);
constexpr bool once_more = wg::guarantee<app_contract>;
static_assert(once_more);
