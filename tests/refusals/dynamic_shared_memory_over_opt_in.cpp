// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,860,900
// error: warpguard: the architecture has no blocks of so much shared memory, even with opt-in
// facts: shared_memory_guard<Contract=app_contract, Architecture=sm<75>, BytesWanted=102400, BytesAllowed=65536>
// facts: shared_memory_guard<Contract=app_contract, Architecture=sm<86>, BytesWanted=102400, BytesAllowed=101376>

// 100 KiB are refused where a block cannot have them, and only there.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<64 * 1024>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<100 * 1024>> {};
#endif
static_assert(wg::guarantee<app_contract>);
