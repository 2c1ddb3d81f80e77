// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The kernels in the output of a build.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fields.hpp"
#include "text.hpp"

namespace measure {

/// Numbers and where they are from. A log can have hundreds of thousands of kernels, so this is small.
struct found_kernel {
  std::string symbol;
  std::string name;  // the whole name; set when all kernels are known
  amounts numbers;
  int compute_capability = 0;
  int log = 0;  // index of the log
  std::size_t line = 0;
};

struct log_kernels {
  std::vector<std::string> logs;
  std::vector<found_kernel> all;  // sorted by name and compute capability
  std::size_t unknown_lines = 0;

  std::string place_of(found_kernel const& kernel) const {
    return logs[static_cast<std::size_t>(kernel.log)] + ":" + std::to_string(kernel.line);
  }
};

/// Reads logs; "-" is standard input. A kernel that occurs again with other numbers is an error, unless `largest` is
/// set: then the largest of each number is taken.
log_kernels read_logs(std::vector<std::string> const& paths, bool largest, failures& failed);

/// A name as one line of text: a log may contain anything, such as codes that move a terminal's cursor.
std::string printable(std::string text);

}  // namespace measure
