// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include "advice.hpp"
#include "architecture.hpp"
#include "block_size.hpp"
#include "capacity.hpp"
#include "clusters.hpp"
#include "co_residency.hpp"
#include "contract.hpp"
#include "guard.hpp"
#include "kernel_resources.hpp"
#include "measured.hpp"
#include "measurement.hpp"
#include "occupancy.hpp"
#include "shared_layout.hpp"
#include "suggested_block.hpp"
#include "targets.hpp"
#include "version.hpp"
#include "warp_roles.hpp"
