// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of persistent, whose grid has as many blocks as are resident on the GPU: at least 4 on each SM.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int persistent_block_threads = 128;

struct persistent_contract : wg::contract<wg::threads_per_block<persistent_block_threads>, wg::max_registers<64>,
                                          wg::static_shared_memory<sizeof(unsigned)>, wg::min_blocks_per_sm<4>> {};
