// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Everything that the model can answer: core.hpp, and the questions that a file with kernels seldom asks. Includes no
/// library, not even the standard one.

#pragma once

#include "core.hpp"
#include "model/common_block_size.hpp"
#include "model/latency.hpp"
#include "model/next_steps.hpp"
#include "model/reaching_changes.hpp"
#include "model/residency_limits.hpp"
#include "model/residency_range.hpp"
#include "model/roofline.hpp"
#include "model/trade_offs.hpp"
#include "model/waves.hpp"
