// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Compute capabilities that do not exist, wherever one is named. Each place has a number of its own, because one number
// is refused once.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: unknown compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS) [architecture]

// facts: architecture_guard<ComputeCapability=91>
struct in_guarantee_on : wg::contract<block> {};
static_assert(wg::guarantee_on<in_guarantee_on, wg::sm<75>, REFUSED(wg::sm<91>) ACCEPTED(wg::sm<90>)>);

// facts: architecture_guard<ComputeCapability=92>
struct in_on : wg::contract<block, wg::on<REFUSED(wg::sm<92>) ACCEPTED(wg::sm<90>), wg::max_registers<40>>> {};
static_assert(wg::guarantee<in_on>);

// facts: architecture_guard<ComputeCapability=85>
struct in_compatible : wg::contract<block, wg::also_runs_on<REFUSED(wg::sm<85>) ACCEPTED(wg::sm<86>)>> {};
static_assert(wg::guarantee<in_compatible>);

// facts: architecture_guard<ComputeCapability=93>
struct in_on_sm : wg::contract<block> {};
static_assert(in_on_sm::on_sm<REFUSED(wg::sm<93>) ACCEPTED(wg::sm<90>)>::blocks_per_sm > 0);

// facts: architecture_guard<ComputeCapability=94>
constexpr wg::architecture in_limits = REFUSED(wg::sm<94>) ACCEPTED(wg::sm<90>)::limits();
static_assert(in_limits.max_warps_per_sm > 0);

// error: warpguard: no target architecture is known: define WARPGUARD_TARGETS=750,900 or use guarantee_on [no_targets]

// facts: no_targets_guard<Contract=guaranteed_nowhere>
struct guaranteed_nowhere : wg::contract<block> {};
static_assert(wg::guarantee_on<guaranteed_nowhere ACCEPTED(, wg::sm<90>)>);
