// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a contract needs threads_per_block [missing_threads]
// fails: an error that is not the stated refusal

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, int> {};
#endif
static_assert(wg::guarantee<app_contract>);
