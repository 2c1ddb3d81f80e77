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
#include "model/common_block_size.hpp"
#include "model/kernel_resources.hpp"
#include "model/latency.hpp"
#include "model/next_steps.hpp"
#include "model/occupancy.hpp"
#include "model/residency_limits.hpp"
#include "model/residency_range.hpp"
#include "model/roofline.hpp"
#include "model/single_change.hpp"
#include "model/trade_offs.hpp"
#include "model/warp_roles.hpp"
#include "model/waves.hpp"
#include "version.hpp"
