// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares a build with its lock, prints the differences, and decides what a new lock keeps of the old one.

#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "entries.hpp"
#include "lock.hpp"
#include "request.hpp"

namespace measure {

/// How a kernel differs from the lock.
struct difference {
  kernel_on kernel;
  std::string kind;  // NEW WORSE IMPROVED GONE UNBUILT CHANGED ALLOWED UNUSED
  std::string details;
  bool fails = false;
};

namespace detail {

inline std::string today(measure_request const& request) {
  if (!request.today.empty()) return request.today;
  std::time_t const now = std::time(nullptr);
  char text[16] = "";
  if (std::tm const* const utc = std::gmtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d", utc);
  return text;
}

/// Returns the words that differ: `flags=- -> flags=-G` for `flags=- ...` and `flags=-G ...`.
inline std::string words_that_differ(std::string const& then, std::string const& now) {
  std::vector<std::string> const before = split(then, ' ');
  std::vector<std::string> const after = split(now, ' ');
  std::string text;
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    std::string const old_word = i < before.size() ? before[i] : "nothing";
    std::string const new_word = i < after.size() ? after[i] : "nothing";
    if (old_word != new_word) append(text, ", ", old_word + " -> " + new_word);
  }
  return text;
}

struct comparison {
  std::string worse;
  std::string better;
};

inline comparison compare_numbers(entry const& then, entry const& now) {
  comparison result;
  for (field const& each : fields) {
    if (each.words == nullptr) continue;
    int const before = then.*each.number;
    int const after = now.*each.number;
    bool const is_known = each.as != shown::number_or_unknown || (before >= 0 && after >= 0);
    if (before == after || !is_known) continue;
    append(after > before ? result.worse : result.better, ", ",
           each.words + (" " + std::to_string(before)) + " -> " + std::to_string(after));
  }
  if (then.permille != now.permille) {
    append(now.permille < then.permille ? result.worse : result.better, ", ",
           "occupancy " + percent(then.permille) + " -> " + percent(now.permille) + ", blocks " +
               std::to_string(then.blocks) + " -> " + std::to_string(now.blocks) + ", limited by " + now.limiter);
  }
  return result;
}

inline difference worse(measure_request const& request, lock_file const& lock, kernel_on const& kernel,
                        comparison const& numbers) {
  std::string const details = numbers.worse + (numbers.better.empty() ? "" : "; better: " + numbers.better);
  auto const exception = lock.exceptions.find(kernel);
  if (exception == lock.exceptions.end()) return {kernel, "WORSE", details, true};
  lock_exception const& allowed = exception->second;
  if (allowed.until < today(request)) {
    return {kernel, "WORSE", details + " (its exception expired on " + allowed.until + ")", true};
  }
  return {kernel, "ALLOWED", details + " (until " + allowed.until + ": " + allowed.reason + ")", false};
}

/// Compares one kernel of the build with the lock. The kind is empty if there is no difference.
inline difference compare_kernel(measure_request const& request, lock_file const& lock, kernel_on const& kernel,
                                 entry const& now) {
  auto const found = lock.entries.find(kernel);
  if (found == lock.entries.end()) return {kernel, "NEW", numbers_of(now), request.is_strict()};
  entry const& then = found->second;
  comparison const numbers = compare_numbers(then, now);
  if (!numbers.worse.empty()) return worse(request, lock, kernel, numbers);
  if (!numbers.better.empty()) return {kernel, "IMPROVED", numbers.better, request.is_strict()};
  std::string const changed = words_that_differ(numbers_of(then), numbers_of(now));
  if (!changed.empty()) return {kernel, "CHANGED", changed, request.is_strict()};
  return {kernel, "", "", false};
}

}  // namespace detail

/// Returns all differences between the lock and a build for the architectures `built`. A build for fewer architectures
/// than the lock has, such as on a developer's machine, does not fail.
inline std::vector<difference> compare(measure_request const& request, lock_file const& lock, entry_map const& entries,
                                       std::set<int> const& built) {
  std::vector<difference> all;
  for (auto const& [kernel, now] : entries) {
    difference const one = detail::compare_kernel(request, lock, kernel, now);
    if (!one.kind.empty()) all.push_back(one);
  }
  for (auto const& [kernel, then] : lock.entries) {
    if (entries.count(kernel) != 0) continue;
    if (built.count(kernel.second) != 0) {
      all.push_back({kernel, "GONE", numbers_of(then), true});
    } else {
      all.push_back({kernel, "UNBUILT", "this build does not compile for " + gpu_of(kernel), request.is_strict()});
    }
  }
  for (auto const& [kernel, exception] : lock.exceptions) {
    bool const is_used = std::any_of(all.begin(), all.end(), [&kernel = kernel](difference const& d) {
      return d.kernel == kernel && (d.kind == "ALLOWED" || d.kind == "WORSE" || d.kind == "UNBUILT");
    });
    if (!is_used) {
      all.push_back(
          {kernel, "UNUSED", "nothing is worse, so remove the exception: " + exception.reason, request.is_strict()});
    }
  }
  return all;
}

/// Returns the text of a new lock. It keeps the exceptions that are in use, with the lines that they excuse, and the
/// lines of architectures that this build does not compile for. Other exceptions are removed.
inline std::string update_lock(measure_request const& request, entry_map entries, lock_file const& old,
                               std::set<int> const& built) {
  std::map<kernel_on, lock_exception> exceptions;
  for (difference const& d : compare(request, old, entries, built)) {
    if (d.kind != "ALLOWED" && d.kind != "UNBUILT") continue;
    auto const exception = old.exceptions.find(d.kernel);
    if (exception != old.exceptions.end()) exceptions.insert(*exception);
    entries[d.kernel] = old.entries.at(d.kernel);
  }
  return write_lock(request, entries, exceptions);
}

namespace detail {

/// Reports a compiler or flags other than those of the lock, because they may explain all differences.
inline std::string compiler_differences(measure_request const& request, lock_file const& lock,
                                        entry_map const& entries) {
  std::string text;
  if (lock.compiler != request.compiler) {
    text += "warpguard: the lock was recorded with " + lock.compiler + ", this build uses " + request.compiler + "\n";
  }
  std::map<std::string, int> flags;
  for (auto const& [kernel, now] : entries) {
    auto const found = lock.entries.find(kernel);
    if (found != lock.entries.end() && found->second.flags != now.flags) {
      ++flags["recorded with " + found->second.flags + ", built with " + now.flags];
    }
  }
  for (auto const& [both, count] : flags) {
    text += "warpguard: other flags: " + both + ": " + std::to_string(count) + " lines of the lock\n";
  }
  return text;
}

}  // namespace detail

/// Prints the differences, first those of the compiler and the flags, and counts those that fail the build.
inline void print_differences(measure_request const& request, lock_file const& lock, entry_map const& entries,
                              std::vector<difference> const& all, failures& failed) {
  std::string text = detail::compiler_differences(request, lock, entries);
  int failing = 0;
  int to_record = 0;
  std::map<int, int> unbuilt;  // by compute capability
  for (difference const& d : all) {
    if (d.kind == "UNBUILT" && !d.fails) {
      ++unbuilt[d.kernel.second];
      continue;
    }
    text += std::string("warpguard: ") + (d.fails ? "error: " : "") + d.kind + " " + shown_kernel(d.kernel) + ": " +
            d.details + "\n";
    failing += d.fails ? 1 : 0;
    to_record += d.kind != "ALLOWED" ? 1 : 0;
  }
  for (auto const& [capability, count] : unbuilt) {
    text += "warpguard: " + std::to_string(count) + " lines of the lock are for sm_" + std::to_string(capability) +
            ", which this build does not compile for: not compared\n";
  }
  if (to_record > 0) {
    text += "warpguard: " + request.lock + ": " + std::to_string(failing) + " of " + std::to_string(to_record) +
            " differences fail the build; to accept them, build the target " + request.name +
            "_warpguard_update and commit the lock\n";
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  failed.count += failing;
}

}  // namespace measure
