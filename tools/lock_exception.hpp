// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The exceptions of a lock, and how its lines name a kernel and several architectures:
///
///     allow app::sum(float*) sm_80,86: registers<=40 spills<=16 until=2027-03-31 reason=waits for the new tile
///
/// The kernel may be worse than the lock until that day, but not beyond the bounds.

#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "entries.hpp"
#include "ptxas_text.hpp"

namespace measure {

struct lock_exception {
  std::map<std::string, int> at_most;  // by the field's name in the lock; spills: stores or loads, whichever is more
  int min_blocks = -1;                 // -1: no bound
  bool may_ignore_bounds = false;
  std::string bounds;  // all of these as they were written: registers<=40 spills<=16
  std::string until;
  std::string reason;
};

using exception_map = std::map<kernel_on, lock_exception>;

inline std::string text_of(lock_exception const& exception) {
  return exception.bounds + " until=" + exception.until + " reason=" + exception.reason;
}

namespace detail {

/// Reads "80,86,90" or "80".
inline bool read_capabilities(std::string const& text, std::vector<int>& capabilities) {
  capabilities.clear();
  for (std::string const& each : split(text, ',')) {
    int capability = 0;
    if (!read_number(each, capability) || capability == 0) return false;
    capabilities.push_back(capability);
  }
  return true;
}

/// Splits "app::sum(float*) sm_80,86: rest" at the last " sm_" that architectures and a colon follow.
inline bool read_kernel_and_gpus(std::string const& line, std::string& name, std::vector<int>& capabilities,
                                 std::string& rest) {
  for (std::size_t at = line.rfind(" sm_"); at != std::string::npos && at > 0; at = line.rfind(" sm_", at - 1)) {
    std::size_t const begin = at + 4;
    std::size_t const colon = line.find(": ", begin);
    if (colon == std::string::npos || !read_capabilities(line.substr(begin, colon - begin), capabilities)) continue;
    name = line.substr(0, at);
    rest = line.substr(colon + 2);
    return true;
  }
  return false;
}

/// Returns a line for each kernel and each text. It names all architectures of the kernel that have this text.
template <class Map, class TextOf>
std::vector<std::string> grouped_lines(Map const& map, TextOf const& text_for) {
  struct group {
    std::string name;
    std::string text;
    std::string capabilities;
  };
  std::vector<group> groups;
  std::size_t first = 0;  // the first group of the current kernel
  for (auto const& [kernel, value] : map) {
    if (first < groups.size() && groups[first].name != kernel.first) first = groups.size();
    std::string const text = text_for(value);
    std::size_t at = first;
    while (at < groups.size() && groups[at].text != text) ++at;
    if (at == groups.size()) groups.push_back({kernel.first, text, ""});
    append(groups[at].capabilities, ",", std::to_string(kernel.second));
  }
  std::vector<std::string> lines;
  for (group const& each : groups) lines.push_back(each.name + " sm_" + each.capabilities + ": " + each.text);
  return lines;
}

/// Whether a text is a day of the Gregorian calendar, such as 2028-02-29.
inline bool is_date(std::string const& text) {
  int year = 0;
  int month = 0;
  int day = 0;
  bool const is_written_so = text.size() == 10 && text[4] == '-' && text[7] == '-' &&
                             read_number(text.substr(0, 4), year) && read_number(text.substr(5, 2), month) &&
                             read_number(text.substr(8, 2), day);
  if (!is_written_so || month < 1 || month > 12) return false;
  bool const is_leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  bool const has_30_days = month == 4 || month == 6 || month == 9 || month == 11;
  int const days = month == 2 ? (is_leap_year ? 29 : 28) : has_30_days ? 30 : 31;
  return day >= 1 && day <= days;
}

/// Reads `registers<=40`, `blocks>=4` or `bounds=ignored`.
inline bool read_bound(std::string const& word, lock_exception& exception) {
  if (word == "bounds=ignored") return exception.may_ignore_bounds = true;
  if (begins(word, "blocks>=")) return read_number(word.substr(8), exception.min_blocks);
  std::size_t const at = word.find("<=");
  if (at == std::string::npos) return false;
  std::string const name = word.substr(0, at);
  bool const is_known = std::any_of(std::begin(fields), std::end(fields), [&](field const& each) {
    return each.lock != nullptr && each.words != nullptr && each.as != shown::flag && name == each.lock;
  });
  return is_known && read_number(word.substr(at + 2), exception.at_most[name]);
}

/// Reads the line of an exception. Returns an error message, or an empty string.
inline std::string read_exception(std::string const& line, exception_map& exceptions) {
  std::string const usage =
      "an exception is `allow <kernel> sm_<N>: <bound>... until=<year-month-day> reason=<why>`, with bounds such as "
      "registers<=40, spills<=16, blocks>=4 and bounds=ignored: ";
  std::size_t const reason = line.find(" reason=");
  std::string name;
  std::vector<int> capabilities;
  std::string rest;
  if (!read_kernel_and_gpus(line.substr(0, reason), name, capabilities, rest)) return usage + line;
  if (reason == std::string::npos || line.find_first_not_of(' ', reason + 8) == std::string::npos) {
    return usage + "there is no reason";
  }
  lock_exception exception;
  exception.reason = line.substr(reason + 8);
  for (std::string const& word : split(rest, ' ')) {
    if (begins(word, "until=")) {
      exception.until = word.substr(6);
      continue;
    }
    if (!read_bound(word, exception)) return usage + "`" + word + "` is no bound";
    append(exception.bounds, " ", word);
  }
  if (exception.bounds.empty()) return usage + "there is no bound";
  if (!is_date(exception.until)) return usage + "`" + exception.until + "` is no day of the calendar";
  for (int capability : capabilities) {
    kernel_on const kernel{name.substr(6), capability};  // after "allow "
    if (!exceptions.insert({kernel, exception}).second) {
      return "this kernel and architecture have two exceptions: " + line;
    }
  }
  return "";
}

}  // namespace detail

}  // namespace measure
