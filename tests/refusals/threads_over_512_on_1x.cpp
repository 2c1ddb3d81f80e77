// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: the architecture has no blocks of so many threads
// facts: block_size_guard<Contract=app_contract, Architecture=sm<13>, ThreadsWanted=513, ThreadsAllowed=512>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<512>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<513>> {};
#endif
static_assert(wg::guarantee_on<app_contract, wg::sm<13>, wg::sm<20>>);
