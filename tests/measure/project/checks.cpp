// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "app.measured.hpp"
#include "contracts.hpp"

namespace measured = warpguard::measured::app;

static_assert(wg::measured_guarantee<sum_contract, measured::app::sum>);
static_assert(wg::measured_guarantee<scale_contract, measured::app::scale>);  // every instance of the template
static_assert(wg::measured_guarantee<scale_contract, measured::app::scale::of_2_float>);
static_assert(wg::measured_guarantee<scale_contract, measured::app::hidden>);
static_assert(wg::measured_guarantee<scale_contract, measured::app::apply>);
static_assert(wg::measured_guarantee<scale_contract, measured::plain>);
static_assert(wg::measured_guarantee<scale_contract, measured::local>);
