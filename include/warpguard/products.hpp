// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// GPUs by name, and what they can reach. Includes no library. core.hpp leaves this out, because files with kernels
/// would pay for it.

#pragma once

#include "hardware/find_device.hpp"
#include "hardware/host_device.hpp"
#include "hardware/peak.hpp"
#include "hardware/products.hpp"
#include "hardware/throughput.hpp"
