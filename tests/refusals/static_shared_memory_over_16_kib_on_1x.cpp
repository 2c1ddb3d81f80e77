// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: the architecture has no blocks of so much static shared memory
// facts: static_shared_memory_guard<Contract=app_contract, Architecture=sm<11>, BytesWanted=16385,
//    BytesAllowed=16384>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory<16384>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory<16385>> {};
#endif
static_assert(wg::guarantee_on<app_contract, wg::sm<11>, wg::sm<20>>);
