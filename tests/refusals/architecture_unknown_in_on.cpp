// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: nobody knows this compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS)
// facts: architecture_guard<ComputeCapability=95>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::max_registers<40>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<95>, wg::max_registers<40>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
