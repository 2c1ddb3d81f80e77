// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -D__CUDA_ARCH__=860
// only: g++ clang
// error: warpguard: this build compiles for an architecture that WARPGUARD_TARGETS does not list [device_pass]
// facts: device_pass_guard<Contract=app_contract, Architecture=sm<86>>

// As in the device pass of a compiler without __CUDA_ARCH_LIST__, such as clang 21.

#ifdef WARPGUARD_TWIN
#define WARPGUARD_TARGETS 750, 860, 900
#else
#define WARPGUARD_TARGETS 750, 900
#endif
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
static_assert(wg::guarantee<app_contract>);
