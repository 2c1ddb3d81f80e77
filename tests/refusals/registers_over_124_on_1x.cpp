// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: the architecture has no threads of so many registers
// facts: thread_registers_guard<Contract=app_contract, Architecture=sm<10>, RegistersWanted=125,
//    RegistersAllowed=124>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::max_registers<124>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::max_registers<125>> {};
#endif
static_assert(wg::guarantee_on<app_contract, wg::sm<10>, wg::sm<35>>);
