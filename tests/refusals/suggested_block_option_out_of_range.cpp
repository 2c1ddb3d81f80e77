// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// error: warpguard: an option of the contract is out of range
// facts: option_range_guard<Contract=detail::block_of<sm<90>, max_registers<0>>, Option=max_registers<0>, Least=1,
//        Most=255>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
using block = wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<1>>;
#else
using block = wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<0>>;
#endif
static_assert(block::says.value > 0);
