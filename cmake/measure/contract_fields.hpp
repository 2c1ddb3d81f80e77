// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The format of the file with the requirements of the contracts. The program that is made of the CHECKS writes it, and
/// the program `warpguard` reads it. It has a line for each kernel, architecture and contract; tabs separate the parts.

#pragma once

#include <warpguard/measured/measured_violation.hpp>

namespace measure {

/// A number of a contract: a term, or a limit that follows from the terms.
struct contract_field {
  char const* json;  // name in the JSON report, or null
  int warpguard::resolved_contract::*term;
  int warpguard::measured_limits::*limit;

  int& in(warpguard::measured_limits& limits) const { return term != nullptr ? limits.terms.*term : limits.*limit; }
  int in(warpguard::measured_limits const& limits) const {
    return term != nullptr ? limits.terms.*term : limits.*limit;
  }
};

/// The numbers of a line, after the kernel, the compute capability and the contract's name.
inline constexpr contract_field contract_fields[] = {
    {"registers_allowed", nullptr, &warpguard::measured_limits::registers_allowed},
    {"blocks_required", nullptr, &warpguard::measured_limits::blocks_required},
    {nullptr, &warpguard::resolved_contract::block_x, nullptr},
    {nullptr, &warpguard::resolved_contract::block_y, nullptr},
    {nullptr, &warpguard::resolved_contract::block_z, nullptr},
    {nullptr, &warpguard::resolved_contract::block_varies, nullptr},
    {nullptr, &warpguard::resolved_contract::min_threads, nullptr},
    {nullptr, &warpguard::resolved_contract::max_registers, nullptr},
    {nullptr, &warpguard::resolved_contract::min_registers, nullptr},
    {nullptr, &warpguard::resolved_contract::static_shared_memory, nullptr},
    {nullptr, &warpguard::resolved_contract::dynamic_shared_memory, nullptr},
    {nullptr, &warpguard::resolved_contract::dynamic_per_thread, nullptr},
    {nullptr, &warpguard::resolved_contract::dynamic_varies, nullptr},
    {nullptr, &warpguard::resolved_contract::dynamic_alignment, nullptr},
    {nullptr, &warpguard::resolved_contract::barriers, nullptr},
    {nullptr, &warpguard::resolved_contract::cluster_x, nullptr},
    {nullptr, &warpguard::resolved_contract::cluster_y, nullptr},
    {nullptr, &warpguard::resolved_contract::cluster_z, nullptr},
    {"spill_budget", &warpguard::resolved_contract::spill_budget, nullptr},
    {nullptr, &warpguard::resolved_contract::minimum, nullptr},
    {nullptr, &warpguard::resolved_contract::unit, nullptr},
    {nullptr, &warpguard::resolved_contract::max_blocks, nullptr},
    {nullptr, &warpguard::resolved_contract::min_blocks_bound, nullptr},
    {nullptr, &warpguard::resolved_contract::promise_required, nullptr},
};
static_assert(sizeof contract_fields / sizeof contract_fields[0] == sizeof(warpguard::measured_limits) / sizeof(int),
              "every number of measured_limits stands in contract_fields");

}  // namespace measure
