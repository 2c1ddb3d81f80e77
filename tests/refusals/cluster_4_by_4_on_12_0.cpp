// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900,1200
// error: warpguard: the architecture has no clusters of so many blocks
// facts: cluster_guard<Contract=app_contract, Architecture=sm<120>, BlocksWanted=16, BlocksAllowed=8>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::cluster_size<4, 4>, wg::on<wg::sm<120>, wg::cluster_size<4, 2>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::cluster_size<4, 4>> {};
#endif
static_assert(wg::guarantee<app_contract>);
