// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard check`: checks targets that warpguard_measure() measured, and reports on them.

#pragma once

#include <string>
#include <vector>

namespace measure {

/// Writes the reports of each target, prints the messages of refused CHECKS, and compares the target with its lock.
/// Every target is checked, whatever is broken in another one. The last line says which of them are broken. Returns the
/// exit code of the program.
int check_targets(std::vector<std::string> const& requests);

}  // namespace measure
