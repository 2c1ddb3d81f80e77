// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The steps of warpguard_measure(). Each of them reads the request and what the launcher wrote beside the objects.

#pragma once

#include <string>

namespace measure {

enum class step {
  header,            // writes <target>.measured.hpp
  report,            // writes the reports
  unchecked_report,  // writes the reports before the CHECKS are compiled, with the last known contracts and blocks
  lock_check,        // compares the build with the lock
  lock_update,       // writes the lock; refuses to mix compilers or flags
  lock_record_anew,  // replaces all lines of the lock, whatever compiler and flags they are from
};

/// Runs a step, and returns the exit code of the program. A stamp is an empty file, and `stamp` is empty if there is
/// none. With it comes the depfile <stamp>.d: the step has to run again if a file in it is missing or newer.
int run_step(step which, std::string const& request_path, std::string const& stamp);

}  // namespace measure
