// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a contract promises one minimum, not two
// facts: two_minimums_guard<Contract=app_contract, Option=min_blocks_per_sm<4>, OtherOption=min_warps_per_sm<8>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::min_blocks_per_sm<4>>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::min_blocks_per_sm<4>, wg::min_warps_per_sm<8>>> {
};
#endif
static_assert(wg::guarantee<app_contract>);
