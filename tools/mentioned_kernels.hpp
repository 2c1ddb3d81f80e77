// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds the kernels that the CHECKS name, by reading these files. If a named kernel does not exist, the header has a
/// type for it all the same, so that its check fails with a clear message instead of an unknown name.

#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "names.hpp"
#include "text.hpp"

namespace measure {

using kernel_path = std::vector<std::string>;

namespace detail {

inline bool is_word(char c) { return is_letter(c) || is_digit(c); }

/// Reads `::app::sum` from position `at` on.
inline kernel_path read_qualified(std::string const& text, std::size_t at) {
  kernel_path path;
  while (text.compare(at, 2, "::") == 0) {
    std::size_t const begin = at + 2;
    std::size_t end = begin;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == begin) break;
    path.push_back(text.substr(begin, end - begin));
    at = end;
  }
  return path;
}

/// `m` if `before`, the beginning of a line, is `namespace m = `; otherwise empty.
inline std::string defined_alias(std::string const& before) {
  std::size_t const word = before.find("namespace ");
  std::size_t const equals = before.find('=');
  if (word == std::string::npos || equals == std::string::npos || word > equals) return "";
  std::string alias = before.substr(word + 10, equals - word - 10);
  while (!alias.empty() && alias.back() == ' ') alias.pop_back();
  return alias;
}

/// A name by which a text refers to a namespace of measured kernels, and that namespace below measured::<target>.
struct namespace_name {
  std::string written;
  kernel_path path;
};

/// Finds the names below `measured::<target>` in one file, written directly or with namespace aliases.
inline void find_mentioned(std::string const& text, std::string const& target, std::set<kernel_path>& found) {
  std::vector<namespace_name> names{{"measured::" + target, {}}};
  for (std::size_t n = 0; n < names.size(); ++n) {
    namespace_name const name = names[n];
    for (std::size_t at = text.find(name.written); at != std::string::npos; at = text.find(name.written, at + 1)) {
      if (at > 0 && (is_word(text[at - 1]) || (n > 0 && text[at - 1] == ':'))) continue;
      std::size_t const after = at + name.written.size();
      if (after < text.size() && is_word(text[after])) continue;
      kernel_path path = name.path;
      for (std::string const& part : read_qualified(text, after)) path.push_back(part);
      std::size_t const line_break = text.rfind('\n', at);
      std::size_t const line = line_break == std::string::npos ? 0 : line_break + 1;
      std::string const before = text.substr(line, at - line);
      std::string const alias = defined_alias(before);
      if (!alias.empty()) {
        bool is_known = !is_identifier(alias);
        for (namespace_name const& each : names) is_known = is_known || each.written == alias;
        if (!is_known) names.push_back({alias, path});
      } else if (!has(before, "using namespace ") && !path.empty()) {
        found.insert(path);
      }
    }
  }
}

}  // namespace detail

/// The paths that the CHECKS name below measured::<target>: {"app", "sum"} for `wg::measured::t::app::sum`, and for
/// `m::sum` after `namespace m = wg::measured::t::app;`.
inline std::set<kernel_path> mentioned_kernels(std::vector<std::string> const& checks, std::string const& target) {
  std::set<kernel_path> found;
  for (std::string const& file : checks) {
    std::string text;
    if (read_file(file, text)) detail::find_mentioned(text, target, found);
  }
  return found;
}

}  // namespace measure
