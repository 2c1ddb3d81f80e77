// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The table of before/sm_table.hpp, copied into a contract: refused on 8.9 and 12.0. With REPAIRED the lines that the
/// table lacks are added.

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct multiply_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<8>, wg::on<wg::sm<75>, wg::min_blocks_per_sm<4>>,
                   wg::on<wg::sm<86>, wg::min_blocks_per_sm<6>>> {};

struct repaired_contract : wg::contract_from<multiply_contract, wg::on<wg::sm<89>, wg::min_blocks_per_sm<6>>,
                                             wg::on<wg::sm<120>, wg::min_blocks_per_sm<6>>> {};

#ifndef REPAIRED
static_assert(wg::guarantee<multiply_contract>);
#else
static_assert(wg::guarantee<repaired_contract>);
#endif
