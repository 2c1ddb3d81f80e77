// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// After: norms() was tuned for all threads of an A100. The contract promises that on every GPU.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct norms_contract : wg::contract<wg::threads_per_block<512>, wg::min_occupancy<100>> {};
static_assert(norms_contract::on_sm<wg::sm<80>>::launch_min_blocks == 4);  // as before
