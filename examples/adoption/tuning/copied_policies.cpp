// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The policies of before/sum_policy.hpp as a contract that promises full occupancy: refused on 12.0, where policy_900
/// has one block of 1024 threads on an SM that holds 1536. With REPAIRED it is that of after/.

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct sum_contract : wg::contract<wg::threads_per_block<256>, wg::on_from<wg::sm<80>, wg::threads_per_block<512>>,
                                   wg::on_from<wg::sm<90>, wg::threads_per_block<1024>>,
#ifdef REPAIRED
                                   wg::on_from<wg::sm<120>, wg::threads_per_block<512>>,
#endif
                                   wg::min_occupancy<100>> {
};

static_assert(wg::guarantee<sum_contract>);
