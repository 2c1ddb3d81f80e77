// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Questions for a block size that have no answer.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

// error: warpguard: unknown compute capability

// facts: architecture_guard<ComputeCapability=95>
static_assert(wg::suggested_threads_per_block<REFUSED(wg::sm<95>) ACCEPTED(wg::sm<90>), wg::max_registers<64>>::as_value
                  .is_valid);

// error: warpguard: a block size is suggested from max_registers, shared memory and barriers alone [block_resource]

// facts: block_resource_guard<Architecture=sm<90>, Option=min_occupancy<75>>
static_assert(
    wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<64> REFUSED(, wg::min_occupancy<75>)>::as_value
        .is_valid);

// error: warpguard: an option of the contract is out of range [option_range]

// facts: option_range_guard<Contract=detail::block_of<sm<90>, max_registers<0>>, Option=max_registers<0>, Least=1,
//    Most=255>
static_assert(wg::suggested_threads_per_block<wg::sm<90>, REFUSED(wg::max_registers<0>)
                                                              ACCEPTED(wg::max_registers<1>)>::as_value.is_valid);

// error: warpguard: no block size fits these resources [no_block_size]

// facts: no_block_size_guard<Architecture=sm<86>, RegistersPerThread=64, SharedMemoryPerBlock=101377, Barriers=1>
static_assert(
    wg::suggested_threads_per_block<wg::sm<86>, wg::max_registers<64>,
                                    wg::dynamic_shared_memory<REFUSED(101377) ACCEPTED(101376)>>::as_value.is_valid);
