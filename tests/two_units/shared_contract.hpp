// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct shared_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {};
static_assert(wg::guarantee_on<shared_contract, wg::sm<90>>);
