// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct kernel_contract : wg::contract<wg::threads_per_block<64>, wg::max_registers<32>,
                                      wg::static_shared_memory<SHARED>, wg::barriers<1>> {};
