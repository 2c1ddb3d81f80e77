// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=800,900
// error: warpguard: the architecture has no clusters of so many blocks
// facts: cluster_guard<Contract=app_contract, Architecture=sm<80>, BlocksWanted=2, BlocksAllowed=1>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::cluster_size<2>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::cluster_size<2>> {};
#endif
static_assert(wg::guarantee<app_contract>);
