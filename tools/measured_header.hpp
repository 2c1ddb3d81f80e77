// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard header`: the first step of warpguard_measure() after the kernels are compiled.

#pragma once

#include <string>

namespace measure {

/// Writes <target>.measured.hpp. Removes objects that were not measured, so that the next build compiles them again.
/// `stamp` (see stamp.hpp) is empty if there is none. Returns the exit code of the program.
int write_measured_header(std::string const& request, std::string const& stamp);

}  // namespace measure
