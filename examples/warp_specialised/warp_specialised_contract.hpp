// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of warp_specialised, which has a producer and two consumers of 128 threads each. The 384 threads start
/// with 168 registers each, 64512 of the 65536 of the SM. setmaxnreg then changes them to 40 for the producer and 232
/// for the consumers: 40 + 2 * 232 = 504 = 3 * 168. This leaves room for one block on an SM, and the contract requires
/// exactly one. For compute capability 9.0a.
///
/// max_registers is the number that a thread starts with. setmaxnreg moves registers between the warps of a resident
/// block, so it does not change the residency.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int warp_specialised_group_threads = 128;
inline constexpr int warp_specialised_stages = 4;
inline constexpr int warp_specialised_tile = 8192;
struct tile_of_x;
using warp_specialised_layout =
    wg::shared_layout<wg::staged<warp_specialised_stages,
                                 wg::shared_array<tile_of_x, float, warp_specialised_tile, wg::bulk_copy_alignment>>>;

struct warp_specialised_contract
    : wg::contract<wg::threads_per_block<3 * warp_specialised_group_threads>, wg::max_registers<168>, wg::barriers<16>,
                   wg::dynamic_shared_memory_of<warp_specialised_layout>, wg::exactly_blocks_per_sm<1>> {};

/// The registers per thread after setmaxnreg: 4 warps produce, and 8 consume with the registers that these release.
inline constexpr int warp_specialised_producer_registers = 40;
inline constexpr int warp_specialised_consumer_registers = 232;
inline constexpr wg::warp_role warp_specialised_roles[] = {{4, warp_specialised_producer_registers},
                                                           {8, warp_specialised_consumer_registers}};
using warp_specialised_on_90 = warp_specialised_contract::on_sm<wg::sm<90>>;
static_assert(wg::check_warp_roles(wg::sm_90,
                                   {warp_specialised_on_90::threads_per_block, warp_specialised_on_90::max_registers},
                                   warp_specialised_roles)
                  .holds(),
              "the roles do not fit into the registers of the block");
