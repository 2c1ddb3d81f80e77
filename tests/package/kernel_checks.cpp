// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "contract.hpp"
#include "kernels.measured.hpp"

#include <warpguard/warpguard.hpp>

static_assert(warpguard::measured_guarantee<scale_contract, warpguard::measured::kernels::scale>);
