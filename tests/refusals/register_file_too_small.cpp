// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750
// error: warpguard: not even one block gets the registers of the contract
// facts: register_file_guard<Contract=app_contract, Architecture=sm<75>, ThreadsPerBlock=1024, RegistersPerThread=80,
//    Fits=registers_at_most<64>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<1024>, wg::max_registers<64>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<1024>, wg::max_registers<80>> {};
#endif
static_assert(wg::guarantee<app_contract>);
