// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#pragma once

#include "advice.hpp"
#include "architecture.hpp"
#include "capacity.hpp"
#include "contract.hpp"
#include "guard.hpp"
#include "kernel_resources.hpp"
#include "measured.hpp"
#include "occupancy.hpp"
#include "targets.hpp"
#include "version.hpp"
