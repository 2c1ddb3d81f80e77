// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The steps of warpguard_measure() before the lock. Each of them reads the request and what the launcher wrote beside
/// the objects.

#pragma once

#include <string>

namespace measure {

enum class step {
  header,            // writes <target>.measured.hpp
  report,            // writes the reports
  unchecked_report,  // writes the reports before the CHECKS are compiled, with the last known contracts and blocks
};

/// Runs a step, and returns the exit code of the program. `stamp` (see stamp.hpp) is empty if there is none.
int run_step(step which, std::string const& request_path, std::string const& stamp);

}  // namespace measure
