// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// What docs/wrong-tables.md says about the model.

#include <warpguard/core.hpp>

namespace wg = warpguard;

// Two blocks of 1024 threads need 2048 of the 1536 threads of an SM.
static_assert(wg::occupancy_of(wg::sm_86, {1024}).blocks_per_sm == 1);
static_assert(wg::max_registers_per_thread(wg::sm_86, 1024, 2) == wg::impossible);  // ptxas drops the bound

// The registers of a block are 64 K on 5.2. Only partitioned global caching, which is off by default, halves the SM.
static_assert(wg::sm_52.max_registers_per_block == 65536);
static_assert(wg::occupancy_of(wg::sm_52, {128, 85}).blocks_per_sm == 5);

// With the driver's 1 KiB a block of 5377 bytes takes 6528 of 102400.
static_assert(wg::occupancy_of(wg::sm_86, {32, 16, 5377}).blocks_per_sm == 15);

static_assert(wg::sm_88.max_threads_per_sm == 1536 && wg::sm_110.max_threads_per_sm == 1536);
static_assert(wg::sm_121.max_threads_per_sm == 1536);
static_assert(wg::sm_75.max_blocks_per_sm == 16 && wg::sm_86.max_blocks_per_sm == 16);
static_assert(wg::sm_89.max_blocks_per_sm == 24 && wg::sm_120.max_blocks_per_sm == 24);
static_assert(wg::sm_110.max_blocks_per_sm == 24);
static_assert(wg::sm_100.max_shared_per_block_optin == 227 * 1024);
static_assert(wg::occupancy_of(wg::sm_110, {1024}).blocks_per_sm == 1);
static_assert(wg::occupancy_of(wg::sm_120, {1024}).blocks_per_sm == 1);
