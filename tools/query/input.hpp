// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads a file, or standard input.

#pragma once

#include <cstdio>
#include <string>

#include "../text.hpp"

namespace measure {

/// What messages call a file: "standard input" for "-".
inline std::string input_name(std::string const& path) { return path == "-" ? "standard input" : path; }

/// Reads a file; "-" is standard input. Returns false after adding an error.
inline bool read_input(std::string const& path, std::string& text, failures& failed) {
  bool good = false;
  if (path == "-") {
    char buffer[65536];
    for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, stdin)) > 0;) text.append(buffer, count);
    good = std::ferror(stdin) == 0;
  } else {
    good = read_file(path, text);
  }
  if (!good) failed.add(input_name(path) + ": cannot be read");
  return good;
}

}  // namespace measure
