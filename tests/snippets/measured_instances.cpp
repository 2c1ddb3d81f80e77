// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The architectures that the kernels were measured on.
#undef WARPGUARD_TARGETS
#define WARPGUARD_TARGETS 800, 900
#include <warpguard/warpguard.hpp>

#include "app.measured.hpp"

namespace wg = warpguard;

namespace {

struct scale_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<32>> {};

}  // namespace

using kernels = wg::measured::app::every_kernel;
static_assert(wg::measured_guarantee<scale_contract, kernels::at<kernels::find("scale<1>(float*)")>>);
