// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: the contract's maximum residency is exceeded
// facts: excess_guard<Contract=app_contract, Architecture=sm<52>, BlocksReached=4, BlocksAllowed=1,
//    LimitedBy=limited_by::warps, Fits=promise_at_least<4>>

// Even a block that takes all the shared memory that it may have leaves room for a second one.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<512>, wg::max_blocks_per_sm<4>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<512>, wg::max_blocks_per_sm<1>> {};
#endif
static_assert(wg::guarantee_on<app_contract, wg::sm<52>>);
