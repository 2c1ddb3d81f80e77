// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard profile`: what Nsight Compute measured, beside what the model, a lock or a build says.

#pragma once

#include <string>

#include "../sources.hpp"
#include "gpus.hpp"
#include "query.hpp"

namespace measure {

struct profile_options {
  std::string file;       // the export; - is standard input
  named_gpu gpu;          // the user's; its name is empty if there is none
  source_options source;  // a lock or a build to compare with; empty: none
  bool must_be_lock = false;
  int margin = 10;  // percent of the theoretical occupancy by which the achieved one may fall short
  query_format format = query_format::text;
};

/// Prints the kernels to standard output, and returns the exit code of the program.
int print_profile(profile_options const& options);

}  // namespace measure
