// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The versions of a lock in the history of git.

#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "entries.hpp"
#include "lock.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

/// A lock as it was committed. Its exceptions and its policy do not matter here.
struct lock_version {
  std::string date;  // of the commit: 2026-11-21
  entry_map entries;
};

struct lock_history {
  std::vector<lock_version> versions;  // the oldest first
  std::string why_none;                // why there are none
};

namespace detail {

constexpr int versions_read = 40;

/// Returns what a command prints. It is empty if the command fails.
inline std::string output_of(std::string const& command) {
  std::FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  char buffer[65536];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, count);
  return pclose(pipe) == 0 ? text : "";
}

/// Reads the entries of a lock. A version that cannot be read, such as one of another format, has none.
inline entry_map entries_of_lock(measure_request const& request, std::string const& text) {
  std::vector<std::string> const lines = lines_of(text);
  lock_file lock;
  if (!lock_error(request, text, lines, edited_lock::accept).empty()) return {};
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    if (!read_lock_line(request, lines[i], lock).empty()) return {};
  }
  return lock.entries;
}

/// A version of a file: the day of its commit, and its name in the object store.
struct blob {
  std::string date;
  std::string name;
};

/// Reads the output of `git log --raw --no-abbrev --format=%cs`.
inline std::vector<blob> read_log(std::string const& log) {
  std::vector<blob> blobs;
  std::string date;
  for (std::string const& line : lines_of(log)) {
    if (begins(line, ":")) {
      std::vector<std::string> const words = split(line, ' ');  // :100644 100644 <old> <new> M<tab>file
      if (words.size() >= 5 && words[3].find_first_not_of('0') != std::string::npos) blobs.push_back({date, words[3]});
    } else if (!line.empty()) {
      date = line;
    }
  }
  return blobs;
}

}  // namespace detail

/// Reads the last versions of the lock of a request.
inline lock_history read_lock_history(measure_request const& request) {
  std::size_t const slash = request.lock.rfind('/');
  std::string const folder = slash == std::string::npos ? "." : request.lock.substr(0, slash + 1);
  std::string const file = request.lock.substr(slash + 1);
  std::string const git = "git -C " + in_shell(folder);
  std::string const log = detail::output_of(git + " log -n " + std::to_string(detail::versions_read) +
                                            " --raw --no-abbrev --no-renames --format=%cs -- " + in_shell(file));
  std::vector<detail::blob> const blobs = detail::read_log(log);
  lock_history history;
  if (blobs.empty()) {
    history.why_none = "git has no history of " + request.within_root(request.lock);
    return history;
  }
  std::string names;
  for (detail::blob const& each : blobs) names += " " + each.name;
  std::string const contents = detail::output_of("printf '%s\\n'" + names + " | " + git + " cat-file --batch");
  std::size_t at = 0;
  for (detail::blob const& each : blobs) {  // <name> blob <size>, a line break, the file, a line break
    std::size_t const line = contents.find('\n', at);
    int size = 0;
    if (line == std::string::npos ||
        !read_number(contents.substr(contents.rfind(' ', line) + 1, line - contents.rfind(' ', line) - 1), size)) {
      break;
    }
    std::size_t const length = static_cast<std::size_t>(size);
    entry_map entries = detail::entries_of_lock(request, contents.substr(line + 1, length));
    if (!entries.empty()) history.versions.push_back({each.date, std::move(entries)});
    at = line + 1 + length + 1;
  }
  std::reverse(history.versions.begin(), history.versions.end());
  if (history.versions.empty()) history.why_none = "no version of the lock in the history of git can be read";
  return history;
}

}  // namespace measure
