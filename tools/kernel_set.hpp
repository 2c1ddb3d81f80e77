// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Kernels with their numbers, from wherever they were read.

#pragma once

#include <set>
#include <string>

#include "entries.hpp"

namespace measure {

/// The kernels of a build, a log or a lock.
struct kernel_set {
  std::string origin;    // what messages call it: build.log
  std::string compiler;  // nvcc 13.0.88; empty if unknown, as in a log
  entry_map entries;
  std::set<int> built;  // the compute capabilities that it has kernels for
};

}  // namespace measure
