// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: nobody knows this compute capability
// facts: architecture_guard<ComputeCapability=95>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
using block = wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<64>>;
#else
using block = wg::suggested_threads_per_block<wg::sm<95>, wg::max_registers<64>>;
#endif
static_assert(block::says.value > 0);
