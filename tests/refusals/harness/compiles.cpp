// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: a contract needs threads_per_block [missing_threads]
// fails: compiles, but must be refused

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
