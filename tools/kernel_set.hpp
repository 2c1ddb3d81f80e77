// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The kernels of a build, of a lock or of a log: what `warpguard diff` and the reports compare.

#pragma once

#include <set>
#include <string>

#include "entries.hpp"

namespace measure {

struct kernel_set {
  std::string origin;    // how messages call it
  std::string compiler;  // empty: unknown
  entry_map entries;
  std::set<int> built;  // compute capabilities that it was built for
};

}  // namespace measure
