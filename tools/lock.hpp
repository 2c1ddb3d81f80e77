// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The lock: a sorted text file with a line for each kernel and architecture, which builds are compared with.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "entries.hpp"
#include "request.hpp"

namespace measure {

/// A line `allow <kernel> sm_90: until=2027-03-31 reason=...`: the kernel may be worse than the lock until that day.
struct lock_exception {
  std::string until;
  std::string reason;
};

struct lock_file {
  std::string compiler;
  entry_map entries;
  std::map<kernel_on, lock_exception> exceptions;
};

namespace detail {

/// Splits "app::sum(float*) sm_80: rest" at the last " sm_" that a colon follows.
inline bool read_kernel_on(std::string const& line, kernel_on& kernel, std::string& rest) {
  for (std::size_t at = line.rfind(" sm_"); at != std::string::npos && at > 0; at = line.rfind(" sm_", at - 1)) {
    std::size_t const colon = line.find(": ", at);
    if (colon == std::string::npos) continue;
    int const capability = capability_in(line.substr(at + 1, colon - at - 1));
    if (capability == 0) continue;
    kernel = {line.substr(0, at), capability};
    rest = line.substr(colon + 2);
    return true;
  }
  return false;
}

inline bool is_date(std::string const& text) {
  int number = 0;
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && read_number(text.substr(0, 4), number) &&
         read_number(text.substr(5, 2), number) && number >= 1 && number <= 12 &&
         read_number(text.substr(8, 2), number) && number >= 1 && number <= 31;
}

/// Whether a line is a conflict marker of a version control system.
inline bool is_conflict_marker(std::string const& line) {
  return begins(line, "<<<<<<<") || begins(line, "=======") || begins(line, ">>>>>>>") || begins(line, "|||||||");
}

/// Returns an error in the lock as a whole, beginning with a line number, or an empty string.
inline std::string lock_error(std::vector<std::string> const& lines) {
  // Checked even before the lock is rewritten, because exceptions in a conflict would be lost.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_conflict_marker(lines[i])) {
      return std::to_string(i + 1) + ": conflict markers: resolve the merge, then record the lock again";
    }
  }
  int version = 0;
  if (lines.empty() || !begins(lines[0], "warpguard-lock ") || !read_number(lines[0].substr(15), version)) {
    return "1: this is not a lock of warpguard: the first line is not `warpguard-lock 1`";
  }
  if (version != 1) {
    return "1: the lock has format " + std::to_string(version) + ", this version of warpguard reads only format 1";
  }
  return "";
}

/// Reads one line of the lock. Returns an error message, or an empty string.
inline std::string read_lock_line(measure_request const& request, std::string const& line, lock_file& lock) {
  kernel_on kernel;
  std::string rest;
  if (line.empty() || line[0] == '#') return "";
  if (begins(line, "compiler ")) {
    lock.compiler = line.substr(9);
    return "";
  }
  if (begins(line, "allow ")) {
    std::size_t const reason = std::min(line.find(" reason="), line.size());
    if (!read_kernel_on(line.substr(6, reason - 6), kernel, rest) || !begins(rest, "until=") ||
        !is_date(rest.substr(6)) || reason + 8 >= line.size()) {
      return "an exception is `allow <kernel> sm_<N>: until=<year-month-day> reason=<why>`";
    }
    bool const is_new = lock.exceptions.insert({kernel, {rest.substr(6), line.substr(reason + 8)}}).second;
    return is_new ? "" : "this kernel and architecture have two exceptions: " + line;
  }
  entry e;
  if (!read_kernel_on(line, kernel, rest) || !read_numbers(rest, e)) return "this line cannot be read: " + line;
  bool const is_new = request.leaves_out(kernel.first) || lock.entries.insert({kernel, e}).second;
  return is_new ? "" : "this kernel and architecture have two lines: " + line;
}

}  // namespace detail

inline lock_file read_lock(measure_request const& request, failures& failed) {
  std::string const& path = request.lock;
  lock_file lock;
  std::string text;
  if (!read_file(path, text)) {
    failed.add(path + ": there is no such lock: record it with the target " + request.name + "_warpguard_update");
    return lock;
  }
  std::vector<std::string> const lines = lines_of(text);
  std::string const error = detail::lock_error(lines);
  if (!error.empty()) {
    failed.add(path + ":" + error);
    return lock;
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::string const line_error = detail::read_lock_line(request, lines[i], lock);
    if (!line_error.empty()) failed.add(path + ":" + std::to_string(i + 1) + ": " + line_error);
  }
  return lock;
}

/// Returns the text of a lock.
inline std::string write_lock(measure_request const& request, entry_map const& entries,
                              std::map<kernel_on, lock_exception> const& exceptions) {
  std::string text =
      "warpguard-lock 1\n"
      "# What ptxas used for each kernel and architecture. Written by " +
      request.name +
      "_warpguard_update; commit this file.\n"
      "# registers and barriers as ptxas reports them; static, dynamic and stack in bytes; spills in bytes "
      "stored/loaded.\n"
      "# blocks per SM and occupancy are computed for the threads and the dynamic shared memory of the contract. "
      "Without\n"
      "# a contract, threads=any:<n> is the block size with the highest occupancy.\n"
      "compiler " +
      request.compiler + "\n";
  for (std::string const& prefix : request.except) text += "# without kernels whose names begin with " + prefix + "\n";
  for (auto const& [kernel, exception] : exceptions) {
    text += "allow " + shown_kernel(kernel) + ": until=" + exception.until + " reason=" + exception.reason + "\n";
  }
  for (auto const& [kernel, e] : entries) text += line_of(kernel, e) + "\n";
  return text;
}

}  // namespace measure
