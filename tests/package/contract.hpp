// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include <warpguard/contract.hpp>

/// The contract of the kernel `scale`.
struct scale_contract : warpguard::contract<warpguard::threads_per_block<256>, warpguard::max_registers<32>,
                                            warpguard::min_occupancy<100>> {};
