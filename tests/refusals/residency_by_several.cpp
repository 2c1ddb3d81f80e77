// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=860
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<86>, BlocksReached=4, BlocksRequired=5,
//    LimitedBy=limited_by::several<limited_by::registers, limited_by::shared_memory>,
//    Fits=together<registers_at_most<48>, shared_memory_at_most<19456>>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<48>, wg::static_shared_memory<19456>,
                                   wg::min_blocks_per_sm<5>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>,
                                   wg::static_shared_memory<24 * 1024>, wg::min_blocks_per_sm<5>> {};
#endif
static_assert(wg::guarantee<app_contract>);
