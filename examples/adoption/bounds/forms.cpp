// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What takes the place of each form of __launch_bounds__, and the launch bounds that come out.

#include <warpguard/contract.hpp>

namespace wg = warpguard;

// __launch_bounds__(256)
struct block_contract : wg::contract<wg::threads_per_block<256>> {};

// __launch_bounds__(256, 4)
struct blocks_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<4>> {};

// template <int Threads> __launch_bounds__(Threads, 2048 / Threads)
template <int Threads>
struct full_contract : wg::contract<wg::threads_per_block<Threads>, wg::min_occupancy<100>> {};

// __launch_bounds__(1024), launched with 128 to 1024 threads
struct chosen_contract : wg::contract<wg::max_threads_per_block<1024>, wg::min_threads_per_block<128>> {};

// __launch_bounds__(256, 4) on 8.0 and later, __launch_bounds__(256) before
struct later_contract : wg::contract<wg::threads_per_block<256>, wg::on_from<wg::sm<80>, wg::min_blocks_per_sm<4>>> {};

// __launch_bounds__(256) with a check that 4 blocks are resident, but no bound that forces ptxas
struct checked_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::min_blocks_per_sm<4>,
                                       wg::no_min_blocks_bound> {};

template <class Contract, int ComputeCapability>
using bounds = typename Contract::template on_sm<wg::sm<ComputeCapability>>;
static_assert(bounds<block_contract, 90>::threads_per_block == 256 &&
              bounds<block_contract, 90>::launch_min_blocks == 0);
static_assert(bounds<blocks_contract, 90>::launch_min_blocks == 4);
static_assert(bounds<full_contract<512>, 90>::launch_min_blocks == 4);
static_assert(bounds<full_contract<512>, 86>::launch_min_blocks == 3);
static_assert(bounds<chosen_contract, 90>::threads_per_block == 1024);
static_assert(bounds<later_contract, 75>::launch_min_blocks == 0 && bounds<later_contract, 80>::launch_min_blocks == 4);
static_assert(bounds<checked_contract, 90>::launch_min_blocks == 0);
static_assert(wg::guarantee<blocks_contract> && wg::guarantee<full_contract<512>> && wg::guarantee<checked_contract>);
