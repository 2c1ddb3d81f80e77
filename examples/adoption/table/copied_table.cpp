// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The table of before/sm_table.hpp, copied into a contract: refused on 8.9 and 12.0. With REPAIRED it has all lines.

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct multiply_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<8>, wg::on<wg::sm<75>, wg::min_blocks_per_sm<4>>,
#ifdef REPAIRED
                   wg::on<wg::sm<89>, wg::min_blocks_per_sm<6>>, wg::on<wg::sm<120>, wg::min_blocks_per_sm<6>>,
#endif
                   wg::on<wg::sm<86>, wg::min_blocks_per_sm<6>>> {
};

static_assert(wg::guarantee<multiply_contract>);
