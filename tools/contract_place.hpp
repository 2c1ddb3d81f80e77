// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds the source line of a contract by reading the CHECKS and what they include.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "entries.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

/// A line of a source file.
struct source_place {
  std::string file;  // empty: unknown
  int line = 1;
};

using place_map = std::map<std::string, source_place>;  // by the name of the contract or the kernel

namespace detail {

/// Whether `line` has `name` as a whole word at position `at`.
inline bool has_word(std::string const& line, std::string const& name, std::size_t at) {
  auto const in_word = [&](std::size_t i) { return i < line.size() && (is_letter(line[i]) || is_digit(line[i])); };
  return at != std::string::npos && (at == 0 || !in_word(at - 1)) && !in_word(at + name.size());
}

/// Returns the CHECKS file and all files that it includes from its folder, directly or not.
inline std::vector<std::string> with_included(std::string const& check) {
  std::vector<std::string> files{check};
  for (std::size_t f = 0; f < files.size() && f < 200; ++f) {
    std::string const folder = files[f].substr(0, files[f].rfind('/') + 1);
    std::string text;
    if (!read_file(files[f], text)) continue;
    for (std::string const& line : lines_of(text)) {
      if (!begins(line, "#include \"")) continue;
      std::string const included = folder + line.substr(10, line.find('"', 10) - 10);
      if (std::find(files.begin(), files.end(), included) == files.end()) files.push_back(included);
    }
  }
  return files;
}

/// Returns the location of a contract: the line of `struct <name>` in a CHECKS file or in a file of with_included(),
/// otherwise the first line of a CHECKS file that names it.
inline source_place place_of(measure_request const& request, std::string contract) {
  contract.resize(std::min(contract.size(), contract.find('<')));
  std::size_t const scope = contract.rfind("::");
  if (scope != std::string::npos) contract = contract.substr(scope + 2);
  source_place mentioned;
  for (std::string const& check : request.checks) {
    for (std::string const& file : with_included(check)) {
      std::string text;
      read_file(file, text);
      int number = 0;
      for (std::string const& line : lines_of(text)) {
        ++number;
        std::size_t const at = line.find(contract);
        if (!has_word(line, contract, at)) continue;
        if (begins(line, "struct ") && at == 7) return {file, number};
        if (mentioned.file.empty() && file == check) mentioned = {file, number};
      }
    }
  }
  return mentioned;
}

}  // namespace detail

/// Returns the places of all contracts of the entries.
inline place_map places_of_contracts(measure_request const& request, entry_map const& entries) {
  place_map places;
  for (auto const& [kernel, e] : entries) {
    for (held_contract const& contract : e.contracts) {
      if (places.count(contract.name) == 0) places[contract.name] = detail::place_of(request, contract.name);
    }
  }
  return places;
}

}  // namespace measure
