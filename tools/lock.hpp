// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The lock: a sorted text file with the numbers of each kernel, which builds are compared with. The line of a kernel
/// is for all architectures on which its numbers are equal. The last line has a digest of what was recorded.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "entries.hpp"
#include "lock_exception.hpp"
#include "request.hpp"

namespace measure {

/// What fails when numbers get worse.
enum class lock_policy {
  significant,  // fewer resident blocks, more spills, ignored launch bounds
  any,          // every number
  report,       // nothing
};

inline char const* const policy_names[] = {"significant", "any", "report"};

struct lock_file {
  std::string compiler;  // empty if unknown
  lock_policy policy = lock_policy::significant;
  bool states_policy = false;       // the line `policy`
  bool compares_compilers = false;  // the line `compare other compilers`
  bool compares_flags = false;      // the line `compare other flags`
  entry_map entries;
  exception_map exceptions;
};

/// The digest of a lock changes when its recorded lines are merged or edited. Only recording may accept such a lock.
enum class edited_lock { refuse, accept };

namespace detail {

constexpr int lock_format = 2;

inline bool is_conflict_marker(std::string const& line) {
  return begins(line, "<<<<<<<") || begins(line, "=======") || begins(line, ">>>>>>>") || begins(line, "|||||||");
}

/// Reads the line of a kernel. A kernel may have the name `allow` or `compiler`, so this is tried first.
inline bool read_kernel_line(std::string const& line, std::string& name, std::vector<int>& capabilities, entry& e) {
  std::string rest;
  return !begins(line, "#") && read_kernel_and_gpus(line, name, capabilities, rest) && read_numbers(rest, e);
}

/// Whether a person writes this line of the lock. Such lines may be edited, so they are not part of the digest.
inline bool is_written_by_hand(std::string const& line) {
  if (line.empty() || line[0] == '#') return true;
  if (!begins(line, "allow ") && !begins(line, "policy ") && !begins(line, "compare ")) return false;
  std::string name;
  std::vector<int> capabilities;
  entry e;
  return !read_kernel_line(line, name, capabilities, e);
}

/// Returns the last line of a lock: `end` and the digest of the recorded lines, which is FNV-1a with 32 bits over the
/// lines, each followed by LF.
inline std::string end_line(std::vector<std::string> const& lines) {
  std::uint32_t digest = 2166136261u;
  for (std::string const& line : lines) {
    if (is_written_by_hand(line)) continue;
    for (char c : line + "\n") digest = (digest ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  char text[16];
  std::snprintf(text, sizeof text, "end %08x", static_cast<unsigned>(digest));
  return text;
}

/// Returns an error in the lock as a whole, beginning with a line number, or an empty string.
inline std::string lock_error(measure_request const& request, std::string const& text,
                              std::vector<std::string> const& lines, edited_lock edited) {
  std::string const update = "record it again: " + request.how_to_update();
  std::string const restore = ": restore it from version control, or delete it and " + update;
  if (lines.empty()) return "1: the lock is empty" + restore;
  // Checked even before the lock is rewritten, because exceptions in a conflict would be lost.
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_conflict_marker(lines[i])) {
      return std::to_string(i + 1) + ": conflict markers: keep the lines of one side, then " + update;
    }
  }
  int format = 0;
  if (!begins(lines[0], "warpguard-lock ") || !read_number(lines[0].substr(15), format)) {
    return "1: this is not a lock of warpguard: the first line is not `warpguard-lock " + std::to_string(lock_format) +
           "`" + restore;
  }
  if (format != lock_format) {
    return "1: the lock has format " + std::to_string(format) + ", this version of warpguard reads only format " +
           std::to_string(lock_format) + (format > lock_format ? ": use a newer version" : ": delete it and " + update);
  }
  std::string const last = std::to_string(lines.size()) + ": ";
  std::size_t const end = static_cast<std::size_t>(
      std::find_if(lines.begin(), lines.end(),
                   [](std::string const& line) { return begins(line, "end ") && line.size() == 12; }) -
      lines.begin());
  if (end == lines.size() || text.back() != '\n') return last + "the end of the lock is missing" + restore;
  if (end + 1 != lines.size()) return std::to_string(end + 2) + ": lines after the end of the lock" + restore;
  std::string const expected = end_line(std::vector<std::string>(lines.begin(), lines.end() - 1));
  if (edited == edited_lock::refuse && lines.back() != expected) {
    return last + "recorded lines were merged or edited by hand, so the digest differs: " + update;
  }
  return "";
}

/// Reads `compare other compilers` or `compare other flags`.
inline bool read_compared(std::string const& line, lock_file& lock) {
  if (line == "compare other compilers") return lock.compares_compilers = true;
  if (line == "compare other flags") return lock.compares_flags = true;
  return false;
}

inline bool read_policy(std::string const& name, lock_policy& policy) {
  auto const* const found = std::find(std::begin(policy_names), std::end(policy_names), name);
  if (found == std::end(policy_names)) return false;
  policy = static_cast<lock_policy>(found - policy_names);
  return true;
}

/// Reads one line of the lock. Returns an error message, or an empty string.
inline std::string read_lock_line(measure_request const& request, std::string const& line, lock_file& lock) {
  if (line.empty() || line[0] == '#') return "";
  std::string name;
  std::vector<int> capabilities;
  entry e;
  if (read_kernel_line(line, name, capabilities, e)) {
    if (request.leaves_out(name)) return "";
    for (int capability : capabilities) {
      if (!lock.entries.insert({{name, capability}, e}).second) {
        return "this kernel and architecture have two lines: " + line;
      }
    }
    return "";
  }
  if (begins(line, "compiler ")) {
    lock.compiler = line == "compiler unknown" ? "" : line.substr(9);
    return "";
  }
  if (begins(line, "policy ")) {
    if (lock.states_policy) return "the lock has two policies: delete one line: " + line;
    lock.states_policy = true;
    return read_policy(line.substr(7), lock.policy) ? "" : "a policy is `significant`, `any` or `report`: " + line;
  }
  if (begins(line, "compare ")) {
    return read_compared(line, lock) ? ""
                                     : "write `compare other compilers` or `compare other flags`, and not: " + line;
  }
  return begins(line, "allow ") ? read_exception(line, lock.exceptions) : "this line cannot be read: " + line;
}

}  // namespace detail

inline lock_file read_lock(measure_request const& request, failures& failed, edited_lock edited = edited_lock::refuse) {
  std::string const& path = request.lock;
  lock_file lock;
  std::string text;
  if (!read_file(path, text)) {
    failed.add(path + ": there is no such lock: to record it, " + request.how_to_update());
    return lock;
  }
  std::vector<std::string> const lines = lines_of(text);
  std::string const error = detail::lock_error(request, text, lines, edited);
  if (!error.empty()) {
    failed.add(path + ":" + error);
    return lock;
  }
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    std::string const line_error = detail::read_lock_line(request, lines[i], lock);
    if (!line_error.empty()) failed.add(path + ":" + std::to_string(i + 1) + ": " + line_error);
  }
  return lock;
}

/// Returns the text of a lock with these entries and exceptions. It keeps what a person decided in the `old` lock.
inline std::string write_lock(measure_request const& request, lock_file const& old, entry_map const& entries,
                              exception_map const& exceptions) {
  std::vector<std::string> lines = {
      "warpguard-lock " + std::to_string(detail::lock_format),
      "# What ptxas used for each kernel; a line is for all architectures with the same numbers. Written by",
      "# " + (request.name.empty() ? "`warpguard lock update`" : request.name + "_warpguard_update") +
          "; commit this file. You may write lines `policy`, `compare` and `allow`.",
      "# registers and barriers as ptxas reports them; static, dynamic and stack in bytes; spills in bytes "
      "stored/loaded.",
      "# blocks per SM are computed for the threads and the dynamic shared memory of the contract. Without a contract, "
      "threads",
      "# are those of the kernel's own launch bounds; without both, any:<n> is the block size with the highest "
      "occupancy.",
      std::string("policy ") + policy_names[static_cast<int>(old.policy)]};
  if (old.compares_compilers) lines.push_back("compare other compilers");
  if (old.compares_flags) lines.push_back("compare other flags");
  lines.push_back("compiler " + (request.compiler.empty() ? "unknown" : request.compiler));
  for (std::string const& prefix : request.except) {
    lines.push_back("# without kernels whose names begin with " + prefix);
  }
  for (std::string const& line : detail::grouped_lines(exceptions, text_of)) lines.push_back("allow " + line);
  for (std::string const& line : detail::grouped_lines(entries, numbers_of)) lines.push_back(line);
  lines.push_back(detail::end_line(lines));
  std::string text;
  for (std::string const& line : lines) text += line + "\n";
  return text;
}

}  // namespace measure
