// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: this type is not a contract
// facts: contract_guard<Type=threads_per_block<256>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
static_assert(wg::guarantee<wg::contract<wg::threads_per_block<256>>>);
#else
static_assert(wg::guarantee<wg::threads_per_block<256>>);
#endif
