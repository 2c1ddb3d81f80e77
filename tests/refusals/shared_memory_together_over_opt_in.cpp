// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=860,900
// error: warpguard: the architecture has no blocks of so much shared memory, even with opt-in
// facts: shared_memory_guard<Contract=app_contract, Architecture=sm<86>, BytesWanted=101377, BytesAllowed=101376>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<101375>, wg::static_shared_memory<1>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<101375>, wg::static_shared_memory<2>> {};
#endif
static_assert(wg::guarantee<app_contract>);
