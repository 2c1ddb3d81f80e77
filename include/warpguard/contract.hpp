// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Everything that files with kernels need to state and check contracts: hardware, model, contract, layout. Includes no
/// library.

#pragma once

// First, so that compilers name few files before the rule of a refusal.
#include "contract/guards.hpp"
#include "layout/guards.hpp"

#include "contract/contract.hpp"
#include "contract/contract_from.hpp"
#include "contract/contract_on.hpp"
#include "contract/fitting_change.hpp"
#include "contract/guarantee.hpp"
#include "contract/guard_list.hpp"
#include "contract/options.hpp"
#include "contract/refusal.hpp"
#include "contract/refusal_facts.hpp"
#include "contract/resolved_contract.hpp"
#include "contract/suggested_block.hpp"
#include "contract/violation.hpp"
#include "core.hpp"
#include "layout/parts.hpp"
#include "layout/shared_layout.hpp"
