// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=800

// A device that is no target runs the code of one: its limits hold, with the terms of the code.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

// error: warpguard: the contract's minimum residency is out of reach [residency]

// 8.9 has 48 warps, of which a block of 1024 threads fills 32.
// facts: residency_guard<Contract=full_on_8_0, Architecture=device_running<sm<89>, sm<80>>, BlocksReached=1,
//    BlocksRequired=2, LimitedBy=limited_by::warps, Fits=threads_per_block_of<768>>
struct full_on_8_0 : wg::contract<wg::threads_per_block<768>, wg::min_occupancy<REFUSED(100) ACCEPTED(50)>,
                                  wg::on<wg::sm<80>, wg::threads_per_block<1024>>, wg::also_runs_on<wg::sm<89>>> {};
static_assert(wg::guarantee<full_on_8_0>);

// The launch bounds of 8.0 allow 64 registers for 4 blocks; 9.0, with as many warps, is no trouble. A promise in blocks
// is enforced by the same bounds everywhere.
struct same_everywhere
    : wg::contract<wg::threads_per_block<256>, wg::min_occupancy<50>, wg::also_runs_on<wg::sm<86>, wg::sm<90>>> {};
static_assert(wg::guarantee<same_everywhere>);

// What `on` says of the device itself does not apply to the code that it runs.
struct also_smaller : wg::contract<wg::threads_per_block<1024>, wg::min_occupancy<60>,
                                   wg::on<wg::sm<80>, wg::threads_per_block<768>>, wg::also_runs_on<wg::sm<86>>> {};
static_assert(wg::guarantee<also_smaller>);
