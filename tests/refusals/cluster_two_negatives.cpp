// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: an option of the contract is out of range
// facts: option_range_guard<Contract=app_contract, Option=cluster_size<-2, -2>, Least=1, Most=16>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::cluster_size<2, 2>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::cluster_size<-2, -2>> {};
#endif
static_assert(wg::guarantee<app_contract>);
