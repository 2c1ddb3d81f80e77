// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What contracts require of kernels, as the file that the program of the CHECKS writes and the measuring program
/// reads: a line for each kernel, architecture and contract, whose parts are separated by tabs.

#pragma once

#include <warpguard/measured/measured_violation.hpp>

namespace measure {

struct contract_field {
  char const* json;  // its name in the JSON report; null: not there
  int warpguard::measured_limits::*number;
};

/// The numbers of a line, after the kernel, the compute capability and the contract's name.
inline constexpr contract_field contract_fields[] = {
    {nullptr, &warpguard::measured_limits::threads},
    {nullptr, &warpguard::measured_limits::dynamic_shared_memory},
    {nullptr, &warpguard::measured_limits::barriers},
    {"registers_allowed", &warpguard::measured_limits::registers_allowed},
    {"spill_budget", &warpguard::measured_limits::spill_budget},
    {"blocks_required", &warpguard::measured_limits::blocks_required},
    {nullptr, &warpguard::measured_limits::blocks_allowed},
    {nullptr, &warpguard::measured_limits::static_shared_memory},
};

}  // namespace measure
