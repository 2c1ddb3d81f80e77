// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: the tuning is one function of the architecture, which the contract and the kernel ask. The launch
/// takes the block from it.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

/// Loads in flight.
template <class Architecture>
inline constexpr int sum_loads_on = Architecture::compute_capability >= 80 ? 8 : 4;

struct sum_contract : wg::contract<wg::threads_per_block<256>, wg::on_from<wg::sm<80>, wg::threads_per_block<512>>,
                                   wg::on_from<wg::sm<90>, wg::threads_per_block<1024>>,
                                   wg::on_from<wg::sm<120>, wg::threads_per_block<512>>, wg::min_occupancy<100>> {};
