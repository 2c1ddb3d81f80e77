// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,800
// error: warpguard: compatible<> takes architectures, and stands outside of on<>
// facts: compatible_guard<Contract=app_contract, Option=compatible<sm<86>>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::compatible<wg::sm<86>>> {};
#else
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<80>, wg::compatible<wg::sm<86>>>> {};
#endif
static_assert(wg::guarantee<app_contract>);
