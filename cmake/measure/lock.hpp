// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The lock: a sorted text file with a line per kernel and architecture, against which a build is compared.

#pragma once

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>
#include <warpguard/model/occupancy.hpp>

#include "build.hpp"

namespace measure {

/// What a contract says about a kernel on an architecture.
struct held_contract {
  std::string name;
  int threads = 0;
  int dynamic_shared_memory = 0;
  int barriers = 1;
  int registers_allowed = 0;
  int spill_budget = 0;
  int blocks_required = 0;
  std::string verdict;
};

using kernel_on = std::pair<std::string, int>;  // key, compute capability

/// A line of the lock.
struct entry {
  int registers = 0;
  int static_shared_memory = 0;
  int spill_stores = 0;
  int spill_loads = 0;
  int stack = 0;
  int barriers = -1;              // not reported
  int dynamic_shared_memory = 0;  // the contract's
  int threads = 0;
  bool any_threads = false;  // no contract says how many: those with which most warps are resident
  int blocks = 0;
  int permille = 0;  // occupancy
  std::string limiter;
  std::string flags;
  bool bounds_ignored = false;
  std::vector<held_contract> contracts;
};

inline std::string names_of(warpguard::limiter set) {
  struct {
    warpguard::limiter limiter;
    char const* name;
  } const known[] = {{warpguard::limiter::warps, "warps"},
                     {warpguard::limiter::registers, "registers"},
                     {warpguard::limiter::shared_memory, "shared_memory"},
                     {warpguard::limiter::block_slots, "block_slots"},
                     {warpguard::limiter::barriers, "barriers"},
                     {warpguard::limiter::virtual_resources, "virtual_resources"}};
  std::string result;
  for (auto const& each : known) {
    if (contains(set, each.limiter)) result += (result.empty() ? "" : "+") + std::string(each.name);
  }
  return result.empty() ? "-" : result;
}

inline std::string percent(int permille) {
  return std::to_string(permille / 10) + "." + std::to_string(permille % 10) + "%";
}

inline std::string shown(kernel_on const& kernel) { return kernel.first + " sm_" + std::to_string(kernel.second); }

inline std::string numbers_of(entry const& e) {
  return "registers=" + std::to_string(e.registers) + " static=" + std::to_string(e.static_shared_memory) +
         " spills=" + std::to_string(e.spill_stores) + "/" + std::to_string(e.spill_loads) +
         " stack=" + std::to_string(e.stack) + " barriers=" + (e.barriers < 0 ? "?" : std::to_string(e.barriers)) +
         " dynamic=" + std::to_string(e.dynamic_shared_memory) + " threads=" + (e.any_threads ? "any:" : "") +
         std::to_string(e.threads) + " blocks=" + std::to_string(e.blocks) + " occupancy=" + percent(e.permille) +
         " limited_by=" + e.limiter + " flags=" + e.flags + (e.bounds_ignored ? " bounds=ignored" : "");
}

inline std::string line_of(kernel_on const& kernel, entry const& e) { return shown(kernel) + ": " + numbers_of(e); }

/// The model's answer for the amounts measured: of several contracts the worst, without one that for the best block
/// size.
inline void add_residency(int compute_capability, entry& e) {
  warpguard::architecture const* const arch = warpguard::find_architecture(compute_capability);
  if (arch == nullptr) return;
  warpguard::kernel_resources kernel{0, e.registers, e.static_shared_memory, 0, e.barriers >= 0 ? e.barriers : 1};
  warpguard::occupancy chosen{};
  e.any_threads = e.contracts.empty();
  for (held_contract const& contract : e.contracts) {
    kernel.threads_per_block = contract.threads;
    kernel.dynamic_shared_memory = contract.dynamic_shared_memory;
    if (e.barriers < 0) kernel.barriers = contract.barriers;
    warpguard::occupancy const now = warpguard::occupancy_of(*arch, kernel);
    if (e.threads > 0 && now.warps_per_sm >= chosen.warps_per_sm) continue;
    chosen = now;
    e.threads = contract.threads;
    e.dynamic_shared_memory = contract.dynamic_shared_memory;
  }
  for (int threads = arch->warp_size; e.any_threads && threads <= arch->max_threads_per_block;
       threads += arch->warp_size) {
    kernel.threads_per_block = threads;
    warpguard::occupancy const now = warpguard::occupancy_of(*arch, kernel);
    if (now.warps_per_sm <= chosen.warps_per_sm) continue;
    chosen = now;
    e.threads = threads;
  }
  e.blocks = chosen.blocks_per_sm;
  e.permille = chosen.max_warps_per_sm > 0 ? chosen.warps_per_sm * 1000 / chosen.max_warps_per_sm : 0;
  e.limiter = names_of(chosen.limited_by);
}

inline std::map<kernel_on, std::vector<held_contract>> read_contracts(request const& asked, failures& failed) {
  std::map<kernel_on, std::vector<held_contract>> held;
  if (asked.contracts.empty() || asked.checks.empty()) return held;
  std::string text;
  if (!read_file(asked.contracts, text)) failed.say("cannot read " + asked.contracts);
  for (std::string const& line : lines_of(text)) {
    std::vector<std::string> const parts = split(line, '\t');
    held_contract contract;
    int capability = 0;
    if (parts.size() != 10 || !read_number(parts[1], capability) || !read_number(parts[3], contract.threads) ||
        !read_number(parts[4], contract.dynamic_shared_memory) || !read_number(parts[5], contract.barriers) ||
        !read_number(parts[6], contract.registers_allowed) || !read_number(parts[7], contract.spill_budget) ||
        !read_number(parts[8], contract.blocks_required)) {
      failed.say(asked.contracts + " cannot be read: " + line);
      return held;
    }
    contract.name = parts[2];
    contract.verdict = parts[9];
    held[{parts[0], capability}].push_back(contract);
  }
  return held;
}

inline bool is_left_out(request const& asked, std::string const& key) {
  return std::any_of(asked.except.begin(), asked.except.end(),
                     [&](std::string const& prefix) { return begins(key, prefix); });
}

/// What was measured, a line per kernel and architecture: of several objects the largest of each amount.
inline std::map<kernel_on, entry> entries_of(request const& asked, measured_build const& build,
                                             std::map<kernel_on, std::vector<held_contract>> const& held) {
  std::map<kernel_on, entry> entries;
  std::map<std::string, std::string> keys;
  for (row const& each : build.said.rows) {
    std::string& key = keys[each.symbol];
    if (key.empty()) key = key_of(each.symbol);
    if (is_left_out(asked, key)) continue;
    entry& e = entries[{key, each.compute_capability}];
    e.registers = std::max(e.registers, each.registers);
    e.static_shared_memory = std::max(e.static_shared_memory, each.static_shared_memory);
    e.spill_stores = std::max(e.spill_stores, each.spill_stores);
    e.spill_loads = std::max(e.spill_loads, each.spill_loads);
    e.stack = std::max(e.stack, each.stack);
    e.barriers = std::max(e.barriers, each.barriers);
    e.bounds_ignored = e.bounds_ignored || each.bounds_ignored;
    e.flags = e.flags.empty() || e.flags == each.flags ? each.flags : std::max(e.flags, each.flags);
  }
  for (auto& [kernel, e] : entries) {
    auto const found = held.find(kernel);
    if (found != held.end()) e.contracts = found->second;
    add_residency(kernel.second, e);
  }
  return entries;
}

struct lock_exception {
  std::string until;
  std::string reason;
};

struct lock_file {
  std::string compiler;
  std::map<kernel_on, entry> entries;
  std::map<kernel_on, lock_exception> exceptions;
};

namespace detail {

/// Splits "app::sum(float*) sm_80: rest" at the last " sm_" before a colon.
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

inline bool read_entry(std::string const& rest, entry& e) {
  unsigned seen = 0;
  for (std::string const& word : split(rest, ' ')) {
    std::size_t const equals = word.find('=');
    if (equals == std::string::npos) return false;
    std::string const name = word.substr(0, equals);
    std::string value = word.substr(equals + 1);
    bool good = true;
    if (name == "registers") {
      good = read_number(value, e.registers);
      seen |= 1;
    } else if (name == "static") {
      good = read_number(value, e.static_shared_memory);
      seen |= 2;
    } else if (name == "spills") {
      std::vector<std::string> const parts = split(value, '/');
      good = parts.size() == 2 && read_number(parts[0], e.spill_stores) && read_number(parts[1], e.spill_loads);
      seen |= 4;
    } else if (name == "stack") {
      good = read_number(value, e.stack);
      seen |= 8;
    } else if (name == "barriers") {
      good = value == "?" || read_number(value, e.barriers);
      seen |= 16;
    } else if (name == "dynamic") {
      good = read_number(value, e.dynamic_shared_memory);
      seen |= 1024;
    } else if (name == "threads") {
      e.any_threads = begins(value, "any:");
      good = read_number(e.any_threads ? value.substr(4) : value, e.threads);
      seen |= 32;
    } else if (name == "blocks") {
      good = read_number(value, e.blocks);
      seen |= 64;
    } else if (name == "occupancy") {
      std::size_t const dot = value.find('.');
      int whole = 0;
      int tenth = 0;
      good = dot != std::string::npos && value.size() == dot + 3 && value.back() == '%' &&
             read_number(value.substr(0, dot), whole) && read_number(value.substr(dot + 1, 1), tenth);
      e.permille = whole * 10 + tenth;
      seen |= 128;
    } else if (name == "limited_by") {
      e.limiter = value;
      seen |= 256;
    } else if (name == "flags") {
      e.flags = value;
      seen |= 512;
    } else if (name == "bounds") {
      e.bounds_ignored = value == "ignored";
    } else {
      good = false;
    }
    if (!good) return false;
  }
  return seen == 2047;
}

inline bool is_date(std::string const& text) {
  int number = 0;
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && read_number(text.substr(0, 4), number) &&
         read_number(text.substr(5, 2), number) && number >= 1 && number <= 12 &&
         read_number(text.substr(8, 2), number) && number >= 1 && number <= 31;
}

}  // namespace detail

/// Conflict markers are refused even when the lock is about to be rewritten: its exceptions would be lost.
inline lock_file read_lock(request const& asked, failures& failed) {
  std::string const& path = asked.lock;
  lock_file lock;
  std::string text;
  if (!read_file(path, text)) {
    failed.say(path + ": there is no such lock: record it with the target " + asked.name + "_warpguard_update");
    return lock;
  }
  std::vector<std::string> const lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (begins(lines[i], "<<<<<<<") || begins(lines[i], "=======") || begins(lines[i], ">>>>>>>") ||
        begins(lines[i], "|||||||")) {
      failed.say(path + ":" + std::to_string(i + 1) +
                 ": conflict markers: resolve the merge, then record the lock again");
      return lock;
    }
  }
  int version = 0;
  if (lines.empty() || !begins(lines[0], "warpguard-lock ") || !read_number(lines[0].substr(15), version)) {
    failed.say(path + ":1: this is no lock of warpguard's: the first line is not `warpguard-lock 1`");
    return lock;
  }
  if (version != 1) {
    failed.say(path + ":1: the lock has format " + std::to_string(version) +
               ", this warpguard knows 1: it was written by a newer one");
    return lock;
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::string const& line = lines[i];
    std::string const where = path + ":" + std::to_string(i + 1) + ": ";
    if (line.empty() || line[0] == '#') continue;
    kernel_on kernel;
    std::string rest;
    if (begins(line, "compiler ")) {
      lock.compiler = line.substr(9);
    } else if (begins(line, "allow ")) {
      std::size_t const reason = std::min(line.find(" reason="), line.size());
      if (!detail::read_kernel_on(line.substr(6, reason - 6), kernel, rest) || !begins(rest, "until=") ||
          !detail::is_date(rest.substr(6)) || reason + 8 >= line.size()) {
        failed.say(where + "an exception is `allow <kernel> sm_<N>: until=<year-month-day> reason=<why>`");
      } else if (!lock.exceptions.insert({kernel, {rest.substr(6), line.substr(reason + 8)}}).second) {
        failed.say(where + "this kernel and architecture have two exceptions: " + line);
      }
    } else {
      entry e;
      if (!detail::read_kernel_on(line, kernel, rest) || !detail::read_entry(rest, e)) {
        failed.say(where + "this line cannot be read: " + line);
      } else if (!is_left_out(asked, kernel.first) && !lock.entries.insert({kernel, e}).second) {
        failed.say(where + "this kernel and architecture are there twice: " + line);
      }
    }
  }
  return lock;
}

/// What became of a kernel since the lock was recorded.
struct difference {
  kernel_on kernel;
  std::string kind;  // NEW WORSE IMPROVED GONE UNBUILT CHANGED ALLOWED UNUSED
  std::string what;
  bool fails = false;
};

inline std::string today(request const& asked) {
  if (!asked.today.empty()) return asked.today;
  std::time_t const now = std::time(nullptr);
  char text[16] = "";
  if (std::tm const* const utc = std::gmtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d", utc);
  return text;
}

/// Of `flags=- ...` and `flags=-G ...` the words that differ: `flags=- -> flags=-G`.
inline std::string words_that_differ(std::string const& then, std::string const& now) {
  std::vector<std::string> const before = split(then, ' ');
  std::vector<std::string> const after = split(now, ' ');
  std::string text;
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    std::string const old = i < before.size() ? before[i] : "nothing";
    std::string const fresh = i < after.size() ? after[i] : "nothing";
    if (old != fresh) text += (text.empty() ? "" : ", ") + old + " -> " + fresh;
  }
  return text;
}

/// `built`: the architectures of this build. A build for fewer, as on somebody's own machine, does not fail.
inline std::vector<difference> compare(request const& asked, lock_file const& lock,
                                       std::map<kernel_on, entry> const& entries, std::set<int> const& built) {
  std::vector<difference> all;
  for (auto const& [kernel, now] : entries) {
    auto const found = lock.entries.find(kernel);
    if (found == lock.entries.end()) {
      all.push_back({kernel, "NEW", numbers_of(now), asked.strict});
      continue;
    }
    entry const& then = found->second;
    std::string worse;
    std::string better;
    auto const look = [&](char const* name, int before, int after, bool more_is_worse) {
      if (before == after) return;
      std::string& text = (after > before) == more_is_worse ? worse : better;
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(before) + " -> " +
              std::to_string(after);
    };
    look("registers", then.registers, now.registers, true);
    look("static shared memory", then.static_shared_memory, now.static_shared_memory, true);
    look("dynamic shared memory", then.dynamic_shared_memory, now.dynamic_shared_memory, true);
    look("spill stores", then.spill_stores, now.spill_stores, true);
    look("spill loads", then.spill_loads, now.spill_loads, true);
    look("stack", then.stack, now.stack, true);
    if (then.barriers >= 0 && now.barriers >= 0) look("barriers", then.barriers, now.barriers, true);
    look("launch bounds ignored", then.bounds_ignored ? 1 : 0, now.bounds_ignored ? 1 : 0, true);
    if (then.permille != now.permille) {
      std::string& text = now.permille < then.permille ? worse : better;
      text += (text.empty() ? "" : ", ") + std::string("occupancy ") + percent(then.permille) + " -> " +
              percent(now.permille) + ", blocks " + std::to_string(then.blocks) + " -> " + std::to_string(now.blocks) +
              ", limited by " + now.limiter;
    }
    if (!worse.empty()) {
      std::string const both = worse + (better.empty() ? "" : "; better: " + better);
      auto const exception = lock.exceptions.find(kernel);
      difference d{kernel, "WORSE", both, true};
      if (exception != lock.exceptions.end()) {
        if (exception->second.until < today(asked)) {
          d.what += " (its exception expired on " + exception->second.until + ")";
        } else {
          d = {kernel, "ALLOWED", both + " (until " + exception->second.until + ": " + exception->second.reason + ")",
               false};
        }
      }
      all.push_back(d);
    } else if (!better.empty()) {
      all.push_back({kernel, "IMPROVED", better, asked.strict});
    } else if (numbers_of(then) != numbers_of(now)) {
      all.push_back({kernel, "CHANGED", words_that_differ(numbers_of(then), numbers_of(now)), asked.strict});
    }
  }
  for (auto const& [kernel, then] : lock.entries) {
    if (entries.count(kernel) != 0) continue;
    if (built.count(kernel.second) != 0) {
      all.push_back({kernel, "GONE", numbers_of(then), true});
    } else {
      all.push_back({kernel, "UNBUILT", "this build is not for sm_" + std::to_string(kernel.second), asked.strict});
    }
  }
  for (auto const& [kernel, exception] : lock.exceptions) {
    bool const is_used = std::any_of(all.begin(), all.end(), [&kernel = kernel](difference const& d) {
      return d.kernel == kernel && (d.kind == "ALLOWED" || d.kind == "WORSE" || d.kind == "UNBUILT");
    });
    if (!is_used) {
      all.push_back({kernel, "UNUSED", "nothing is worse, so the exception can go: " + exception.reason, asked.strict});
    }
  }
  return all;
}

/// The lock as it is recorded: an exception that holds stays, and so does the line that it excuses; other exceptions
/// go. What is known of architectures that this build is not for stays, too.
inline std::string write_lock(request const& asked, std::map<kernel_on, entry> entries, lock_file const& old,
                              std::set<int> const& built) {
  std::string text =
      "warpguard-lock 1\n"
      "# What ptxas used, per kernel and architecture. Written by " +
      asked.name +
      "_warpguard_update; commit it.\n"
      "# registers and barriers as ptxas says, bytes of static shared memory, spilled/loaded bytes, bytes of stack;\n"
      "# blocks per SM and occupancy by warpguard's model, for the contract's dynamic shared memory and threads or, "
      "without\n"
      "# one, the best threads (any:).\n"
      "compiler " +
      asked.compiler + "\n";
  for (std::string const& prefix : asked.except) text += "# without what begins with " + prefix + "\n";
  for (difference const& d : compare(asked, old, entries, built)) {
    if (d.kind != "ALLOWED" && d.kind != "UNBUILT") continue;
    auto const exception = old.exceptions.find(d.kernel);
    if (exception != old.exceptions.end()) {
      text += "allow " + shown(d.kernel) + ": until=" + exception->second.until +
              " reason=" + exception->second.reason + "\n";
    }
    entries[d.kernel] = old.entries.at(d.kernel);
  }
  for (auto const& [kernel, e] : entries) text += line_of(kernel, e) + "\n";
  return text;
}

/// Says the differences; those of compiler and flags before any number.
inline void say_differences(request const& asked, lock_file const& lock, std::map<kernel_on, entry> const& entries,
                            std::vector<difference> const& all, failures& failed) {
  std::string text;
  if (lock.compiler != asked.compiler) {
    text += "warpguard: the lock was recorded with " + lock.compiler + ", this build is of " + asked.compiler + "\n";
  }
  std::map<std::string, int> flags;
  for (auto const& [kernel, now] : entries) {
    auto const found = lock.entries.find(kernel);
    if (found != lock.entries.end() && found->second.flags != now.flags) {
      ++flags["recorded with " + found->second.flags + ", built with " + now.flags];
    }
  }
  for (auto const& [what, count] : flags) {
    text += "warpguard: other flags: " + what + ": " + std::to_string(count) + " lines of the lock\n";
  }
  int failing = 0;
  int asking = 0;
  std::map<int, int> unbuilt;
  for (difference const& d : all) {
    if (d.kind == "UNBUILT" && !d.fails) {
      ++unbuilt[d.kernel.second];
      continue;
    }
    text +=
        "warpguard: " + std::string(d.fails ? "error: " : "") + d.kind + " " + shown(d.kernel) + ": " + d.what + "\n";
    failing += d.fails ? 1 : 0;
    asking += d.kind != "ALLOWED" ? 1 : 0;
  }
  for (auto const& [capability, count] : unbuilt) {
    text += "warpguard: " + std::to_string(count) + " lines of the lock are of sm_" + std::to_string(capability) +
            ", which this build is not for: not compared\n";
  }
  if (asking > 0) {
    text += "warpguard: " + asked.lock + ": " + std::to_string(failing) + " of " + std::to_string(asking) +
            " differences fail the build; to record what is meant: build the target " + asked.name +
            "_warpguard_update and commit the lock\n";
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  failed.count += failing;
}

}  // namespace measure
