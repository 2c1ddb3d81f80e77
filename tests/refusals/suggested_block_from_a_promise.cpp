// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: a block size is suggested from max_registers, shared memory and barriers alone
// facts: block_resource_guard<Architecture=sm<90>, Option=min_occupancy<75>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
using block = wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<64>>;
#else
using block = wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<64>, wg::min_occupancy<75>>;
#endif
static_assert(block::says.value > 0);
