// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The hardware and the model. Includes no library, not even the standard one: for host code, kernels, NVRTC and
/// WebAssembly.

#pragma once

#include "hardware/architecture.hpp"
#include "hardware/arithmetic.hpp"
#include "hardware/host_device.hpp"
#include "hardware/table.hpp"
#include "model/advice.hpp"
#include "model/allocation.hpp"
#include "model/block_size.hpp"
#include "model/capacity.hpp"
#include "model/clusters.hpp"
#include "model/co_residency.hpp"
#include "model/kernel_resources.hpp"
#include "model/occupancy.hpp"
#include "model/single_change.hpp"
#include "model/warp_roles.hpp"
#include "version.hpp"
