// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which changes let a kernel reach the residency that the user wants.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <warpguard/hardware/architecture.hpp>
#include <warpguard/model/advice.hpp>
#include <warpguard/model/kernel_resources.hpp>

#include "query.hpp"

namespace measure {

/// Changes that reach the goal together, and what is resident with them.
struct reaching_change {
  warpguard::kernel_resources kernel;  // after the change
  std::string words;                   // "32 registers or fewer"
  warpguard::occupancy residency;
};

struct wanted_answer {
  int blocks = 0;  // that are wanted, of the kernel's own block size
  bool is_reached = false;
  std::vector<reaching_change> single;  // each is enough alone
  std::vector<reaching_change> joint;   // one element if several resources have to change, otherwise none
};

wanted_answer changes_for(warpguard::architecture const& arch, warpguard::kernel_resources const& kernel,
                          warpguard::shared_memory_config const& config, query_options const& options);

/// Lines for people, each with its end.
std::string text_of(wanted_answer const& answer, warpguard::architecture const& arch);

nlohmann::ordered_json json_of(wanted_answer const& answer);

}  // namespace measure
