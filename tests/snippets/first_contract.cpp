// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct saxpy_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {};

static_assert(wg::guarantee<saxpy_contract>);
