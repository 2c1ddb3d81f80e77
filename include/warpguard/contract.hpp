// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Everything that files with kernels need to state and check contracts: hardware, model, contract, layout.

#pragma once

#include "core.hpp"
#include "contract/contract.hpp"
#include "contract/guard.hpp"
#include "contract/suggested_block.hpp"
#include "contract/targets.hpp"
#include "layout/parts.hpp"
#include "layout/shared_layout.hpp"
