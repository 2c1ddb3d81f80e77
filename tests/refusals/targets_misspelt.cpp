// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: WARPGUARD_TARGETS is a list of numbers separated by commas, such as 750,900 for 7.5 and 9.0
// facts: target_spelling_guard<IsListOfNumbers=false>
// case: -DSEMICOLON
// case: -DWARPGUARD_TARGETS
// case: -DWARPGUARD_TARGETS=
// case: -DWARPGUARD_TARGETS=sm_90
// case: -DWARPGUARD_TARGETS=compute_75,compute_90
// case: -DWARPGUARD_TARGETS=9.0
// case: -DWARPGUARD_TARGETS=90a
// case: -DWARPGUARD_TARGETS=750,
// case: -DWARPGUARD_TARGETS=,750
// case: -DWARPGUARD_TARGETS=750,,900
// case: '-DWARPGUARD_TARGETS=750 900'
// case: '-DWARPGUARD_TARGETS="750,900"'
// case: -DWARPGUARD_TARGETS=-900
// case: -DWARPGUARD_TARGETS=native

// A misspelt list is refused once: its numbers are not refused as well, and a contract has no lack of targets.

#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS 750, 900
#endif
#ifdef SEMICOLON
// clang-format off
#define WARPGUARD_TARGETS 750;900
// clang-format on
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
