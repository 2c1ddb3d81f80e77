// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a contract has no such option [unknown_option]
// facts: unknown_option_guard<Contract=int_as_option, Option=int>
// error: warpguard: a contract needs threads_per_block [missing_threads]
// fails: the refusal does not say: warpguard: a contract needs threads_per_block

// A table of two rules, of which only the first one is broken.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct int_as_option : wg::contract<wg::threads_per_block<256>> {};
#else
struct int_as_option : wg::contract<wg::threads_per_block<256>, int> {};
#endif
static_assert(wg::guarantee<int_as_option>);
