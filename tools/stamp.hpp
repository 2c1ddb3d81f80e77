// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Stamps. A stamp is an empty file, which a command writes when it succeeds. With it comes the depfile <stamp>.d: the
/// command has to run again if a file in it is missing or newer.

#pragma once

#include <string>
#include <vector>

#include "text.hpp"

namespace measure {

inline void write_stamp(std::string const& stamp, std::vector<std::string> const& needed) {
  auto const escaped = [](std::string const& path) {
    std::string result;
    for (char c : path) {
      if (c == ' ' || c == '#') result += '\\';
      if (c == '$') result += '$';
      result += c;
    }
    return result;
  };
  std::string text = escaped(stamp) + ":";
  for (std::string const& path : needed) text += " \\\n  " + escaped(path);
  write_file(stamp + ".d", text + "\n");
  write_file(stamp, "");
}

}  // namespace measure
