// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// edit: warpguard/contract/refusal.hpp missing_threads_guard<Contract>>{} -> no_refusal>{}
// error: warpguard: a contract needs threads_per_block [missing_threads]
// facts: missing_threads_guard<Contract=app_contract>
// fails: compiles, but must be refused

// A refusal of the library whose guard is taken out of a copy of its headers.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>> {};
#else
struct app_contract : wg::contract<wg::max_registers<40>> {};
#endif
static_assert(wg::guarantee<app_contract>);
