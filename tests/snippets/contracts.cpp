// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The contracts that the tutorial shows beside its kernel. With -DEXCEEDED it must not compile for 9.0: "the
// contract's maximum residency is exceeded"; with -DFREE, for 7.5, 8.6 and 9.0: "a minimum with no_min_blocks_bound
// needs max_registers".

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct large_transpose_contract
    : wg::contract<wg::threads_per_block<32, 8>, wg::static_shared_memory<64 * 65 * sizeof(float)>,
                   wg::max_registers<32>, wg::min_occupancy<100>, wg::on<wg::sm<75>, wg::min_occupancy<75>>,
                   wg::on<wg::sm<86>, wg::min_occupancy<80>>> {};

static_assert(wg::guarantee_on<large_transpose_contract, wg::sm<75>, wg::sm<86>, wg::sm<90>>);

struct gemm_contract
    : wg::contract<wg::threads_per_block<256>, wg::max_registers<128>, wg::dynamic_shared_memory<32 * 1024>,
                   wg::min_blocks_per_sm<2>,
                   wg::on<wg::sm<90>, wg::dynamic_shared_memory<200 * 1024>, wg::exactly_blocks_per_sm<1>>> {};

static_assert(wg::guarantee_on<gemm_contract, wg::sm<75>, wg::sm<86>, wg::sm<90>>);
static_assert(gemm_contract::on_sm<wg::sm<86>>::dynamic_shared_memory == 32 * 1024);
static_assert(gemm_contract::on_sm<wg::sm<90>>::dynamic_shared_memory == 200 * 1024);
static_assert(gemm_contract::on_sm<wg::sm<90>>::blocks_per_sm == 1);

#ifndef EXCEEDED
constexpr int stage_bytes = 64 * 1024;

struct pipeline_contract
    : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory<2 * stage_bytes>, wg::max_blocks_per_sm<1>> {};

static_assert(wg::guarantee_on<pipeline_contract, wg::sm<90>>);
#else
constexpr int stage_bytes = 48 * 1024;

struct pipeline_contract
    : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory<2 * stage_bytes>, wg::max_blocks_per_sm<1>> {};

static_assert(wg::guarantee_on<pipeline_contract, wg::sm<90>>);
#endif

#ifndef FREE
struct free_contract : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory<8 * 1024>,
                                    wg::max_registers<64>, wg::min_blocks_per_sm<4>, wg::no_min_blocks_bound> {};

static_assert(wg::guarantee_on<free_contract, wg::sm<75>, wg::sm<86>, wg::sm<90>>);
static_assert(free_contract::on_sm<wg::sm<90>>::launch_min_blocks == 0);
#else
struct free_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<4>, wg::no_min_blocks_bound> {};

static_assert(wg::guarantee_on<free_contract, wg::sm<75>, wg::sm<86>, wg::sm<90>>);
#endif

// The tile of 32 rows and 64 columns.
using wide_tile_type = float[32][64 + 1];
struct wide_transpose_contract
    : wg::contract<wg::threads_per_block<32, 8>, wg::static_shared_memory<sizeof(wide_tile_type)>,
                   wg::max_registers<32>, wg::min_occupancy<100>> {};

static_assert(sizeof(wide_tile_type) == 8320);
static_assert(wg::guarantee_on<wide_transpose_contract, wg::sm<75>, wg::sm<86>, wg::sm<90>>);
