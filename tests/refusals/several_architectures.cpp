// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,800,860,890,900,1000,1200
// error: warpguard: shared memory exceeds what a block of the architecture can have, even with opt-in [shared_memory]
// facts: shared_memory_guard<Contract=app_contract, Architecture=sm<75>, BytesWanted=73728, BytesAllowed=65536>
// error: warpguard: the contract's minimum residency is out of reach [residency]
// facts: residency_guard<Contract=app_contract, Architecture=sm<86>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<50176>>
// facts: residency_guard<Contract=app_contract, Architecture=sm<89>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<50176>>
// facts: residency_guard<Contract=app_contract, Architecture=sm<120>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<50176>>

// One build lists every architecture that fails, each once, and none that does not.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<32 * 1024>, wg::min_blocks_per_sm<2>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<72 * 1024>, wg::min_blocks_per_sm<2>> {};
#endif
static_assert(wg::guarantee<app_contract>);
