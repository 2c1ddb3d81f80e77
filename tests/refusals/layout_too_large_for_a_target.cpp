// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the architecture has no blocks of so much shared memory, even with opt-in
// facts: shared_memory_guard<Contract=app_contract, Architecture=sm<75>, BytesWanted=66048, BytesAllowed=65536>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::shared_array<a, float[128], 128>>;
#else
using layout = wg::shared_layout<wg::shared_array<a, float[128], 129>>;
#endif
struct app_contract : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory_of<layout>> {};
static_assert(wg::guarantee<app_contract>);
