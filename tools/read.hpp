// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard read`: the kernels of a build, from the output of the build alone.

#pragma once

#include <string>
#include <vector>

namespace measure {

struct read_options {
  std::vector<std::string> logs;  // paths; "-" is standard input
  bool json = false;
  bool csv = false;
  bool largest = false;
};

/// Prints the kernels to standard output, and returns the exit code of the program.
int print_kernels(read_options const& options);

}  // namespace measure
