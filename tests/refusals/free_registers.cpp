// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=860
// error: warpguard: a minimum with no_forced_bounds needs max_registers
// facts: free_registers_guard<Contract=app_contract, Architecture=sm<86>, BlocksRequired=5,
//    Fits=registers_at_most<48>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<5>, wg::no_forced_bounds, wg::max_registers<48>> {
};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<5>, wg::no_forced_bounds> {};
#endif
static_assert(wg::guarantee<app_contract>);
