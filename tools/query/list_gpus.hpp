// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard gpus`: the GPUs and architectures that warpguard knows.

#pragma once

#include <string>
#include <vector>
#include <warpguard/hardware/table.hpp>

#include "query.hpp"

namespace measure {

struct gpus_options {
  warpguard::architecture const* arch = nullptr;  // only GPUs of this one
  std::string filter;                             // only GPUs that have this in one of their names, in any case
  bool architectures = false;                     // list architectures in place of products
  std::vector<std::string> compared;              // GPUs to show side by side; empty: list
  query_format format = query_format::text;
};

/// Prints GPUs to standard output, and returns the exit code of the program.
int print_gpus(gpus_options const& options);

}  // namespace measure
