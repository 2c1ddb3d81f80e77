// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a contract has no such option [unknown_option]
// facts: missing_threads_guard<Contract=without_threads>
// error: warpguard: a contract needs threads_per_block [missing_threads]
// facts: unknown_option_guard<Contract=int_as_option, Option=int>
// fails: stated under another rule

// Both rules and both facts are in the compiler's output, but the file pairs them wrongly.

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct without_threads : wg::contract<wg::threads_per_block<256>> {};
struct int_as_option : wg::contract<wg::threads_per_block<256>> {};
#else
struct without_threads : wg::contract<> {};
struct int_as_option : wg::contract<wg::threads_per_block<256>, int> {};
#endif
static_assert(wg::guarantee<without_threads>);
static_assert(wg::guarantee<int_as_option>);
