// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=370,860
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<86>, BlocksReached=4, BlocksRequired=5,
//    LimitedBy=limited_by::registers, Fits=registers_at_most<48>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<48>, wg::min_blocks_per_sm<5>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::min_blocks_per_sm<5>> {};
#endif
static_assert(wg::guarantee<app_contract>);
