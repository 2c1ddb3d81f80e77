// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "shared_contract.hpp"

int blocks_in_first() { return shared_contract::on_sm<wg::sm<90>>::blocks_per_sm; }
warpguard::architecture const* row_in_first() { return wg::find_architecture(90); }
