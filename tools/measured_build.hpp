// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The build of a target: its objects, and what ptxas reported for their kernels.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "names.hpp"
#include "nvcc_arguments.hpp"
#include "ptxas_text.hpp"

namespace measure {

struct measured_build {
  ptxas_report ptxas;
  std::vector<object_facts> objects;
  std::vector<std::string> not_measured;     // objects with no text that may be believed
  std::map<std::string, kernel_name> names;  // by symbol
  std::set<int> real;                        // compute capabilities with SASS in some object
  std::set<int> only_ptx;                    // compute capabilities that some object has only PTX for

  /// The compute capabilities that have PTX in some object and SASS in none.
  std::set<int> not_measurable() const {
    std::set<int> result;
    for (int capability : only_ptx) {
      if (real.count(capability) == 0) result.insert(capability);
    }
    return result;
  }
};

}  // namespace measure
