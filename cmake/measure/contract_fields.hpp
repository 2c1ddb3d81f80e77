// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The format of the file with the requirements of the contracts. The program that is made of the CHECKS writes it, and
/// the measuring program reads it. It has a line for each kernel, architecture and contract; tabs separate the parts.

#pragma once

#include <warpguard/measured/measured_violation.hpp>

namespace measure {

struct contract_field {
  char const* json;  // name in the JSON report, or null
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
