// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a contract needs threads_per_block
// facts: missing_threads_guard<Contract=app_contract>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>> {};
#else
struct app_contract : wg::contract<> {};
#endif
static_assert(wg::guarantee<app_contract>);
