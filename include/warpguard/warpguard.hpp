// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Everything that needs no CUDA: contracts, measured kernels, both as Sequences of Hana, and products.

#pragma once

// First, so that compilers name few files before the rule of a refusal.
#include "contract/guards.hpp"
#include "contract/targets.hpp"
#include "layout/guards.hpp"
#include "measured/measured_guards.hpp"

#include "answers.hpp"
#include "contract.hpp"
#include "hana/sequences.hpp"
#include "hardware/table_check.hpp"
#include "measured/measured_checks.hpp"
#include "measured/measured_guarantee.hpp"
#include "measured/measured_violation.hpp"
#include "measured/measurement.hpp"
#include "products.hpp"
