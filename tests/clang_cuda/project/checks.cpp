// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "app.measured.hpp"
#include "contract.hpp"

static_assert(wg::measured_guarantee<sum_contract, wg::measured::app::sum>);
