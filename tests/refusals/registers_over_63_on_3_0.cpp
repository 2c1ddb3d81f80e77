// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: the architecture has no threads of so many registers
// facts: thread_registers_guard<Contract=app_contract, Architecture=sm<30>, RegistersWanted=64, RegistersAllowed=63>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::max_registers<63>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<32>, wg::max_registers<64>> {};
#endif
static_assert(wg::guarantee_on<app_contract, wg::sm<30>, wg::sm<35>>);
