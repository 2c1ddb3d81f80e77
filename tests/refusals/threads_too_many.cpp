// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a block has 1 to 1024 threads, and at most 1024 x 1024 x 64 of them
// facts: block_shape_guard<Contract=app_contract, Option=threads_per_block<1025>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<1024>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<1025>> {};
#endif
static_assert(wg::guarantee<app_contract>);
