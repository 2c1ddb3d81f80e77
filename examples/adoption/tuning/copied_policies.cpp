// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The policies of before/sum_policy.hpp as a contract that promises full occupancy: refused on 12.0, where policy_900
/// has one block of 1024 threads on an SM that holds 1536. With REPAIRED it is the contract of after/.

#include <warpguard/contract.hpp>

#include "after/sum_contract.hpp"

struct copied_contract : wg::contract<wg::threads_per_block<256>, wg::on_from<wg::sm<80>, wg::threads_per_block<512>>,
                                      wg::on_from<wg::sm<90>, wg::threads_per_block<1024>>, wg::min_occupancy<100>> {};

#ifndef REPAIRED
static_assert(wg::guarantee<copied_contract>);
#else
static_assert(wg::guarantee<sum_contract>);
#endif
