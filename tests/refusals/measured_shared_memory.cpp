// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: the kernel's static shared memory is not what the contract states
// facts: measured_shared_memory_guard<Contract=app_contract, Kernel=app_sum, Architecture=sm<90>,
//    BytesMeasured=2048, BytesStated=1024>

#include <warpguard/warpguard.hpp>

#include "measured_as.hpp"

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_sum : measured_as<app_sum, 90, 40, 1024> {};
#else
struct app_sum : measured_as<app_sum, 90, 40, 2048> {};
#endif
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::static_shared_memory<1024>> {
};
static_assert(wg::measured_guarantee<app_contract, app_sum>);
