// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: a block that takes so much runs at no block size
// facts: no_block_size_guard<Architecture=sm<86>, RegistersPerThread=64, SharedMemoryPerBlock=101377, Barriers=1>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
constexpr int bytes = 101376;
#else
constexpr int bytes = 101377;
#endif
using block = wg::suggested_threads_per_block<wg::sm<86>, wg::max_registers<64>, wg::dynamic_shared_memory<bytes>>;
static_assert(block::says.value > 0);
