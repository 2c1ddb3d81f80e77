// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,860,900
// error: warpguard: the contract's maximum residency is exceeded
// facts: excess_guard<Contract=app_contract, Architecture=sm<86>, BlocksReached=2, BlocksAllowed=1,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_least<50177>>
// facts: excess_guard<Contract=app_contract, Architecture=sm<90>, BlocksReached=4, BlocksAllowed=1,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_least<115713>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<48 * 1024>, wg::min_blocks_per_sm<1>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<48 * 1024>, wg::exactly_blocks_per_sm<1>> {};
#endif
static_assert(wg::guarantee<app_contract>);
