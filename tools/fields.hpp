// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The numbers of a kernel. The header, the lock, the reports and the differences are all written from one list,
/// `fields`.

#pragma once

#include <cstddef>
#include <string>
#include <vector>
#include <warpguard/measured/measured_violation.hpp>

#include "percent.hpp"
#include "text.hpp"

namespace measure {

/// What ptxas reports for a kernel: the members of warpguard::measurement except the compute capability.
struct amounts {
  int registers = 0;
  int static_shared_memory = 0;
  int spill_stores = 0;
  int spill_loads = 0;
  int stack = 0;
  int barriers = -1;  // -1: not reported, as before CUDA 12.9
  int constant_memory = 0;
  int bounds_ignored = 0;  // 0 or 1
};

/// A contract that a kernel must keep on one architecture.
struct held_contract {
  std::string name;
  warpguard::measured_limits limits;
  warpguard::measured_violation violation = warpguard::measured_violation::none;
};

/// A kernel on one architecture: a line of the lock, and a row of the markdown table.
struct entry : amounts {
  int dynamic_shared_memory = 0;  // of the contract
  int threads = 0;                // of the contract, otherwise of the kernel's own launch bounds
  bool any_threads = false;       // neither is known: the block size with the highest occupancy
  int blocks = 0;
  int occupancy = 0;  // hundredths of a percent
  std::string limiter;
  std::string flags = "-";
  std::vector<held_contract> contracts;
};

/// How a field is written.
enum class shown {
  number,
  number_or_unknown,  // -1 is ? in the lock and null in JSON
  threads,            // after `any:` in the lock, with "threads_stated" in JSON
  percent,            // 8125 is 81.25 % in the table and 81.25 in JSON; not in the lock
  flag,               // 0 or 1; in the lock only if it is 1
  text,               // in the lock only if it is not -
};

struct field {
  char const* lock;     // name in the lock, or null. Neighbours with the same name are one word: spills=16/24
  char const* json;     // name in JSON, or null
  char const* heading;  // column in the table, or null. Neighbours with the same heading are one column
  char const* words;    // name in a difference; null: not compared separately
  shown as;
  bool is_measured;  // a member of `amounts`
  int entry::*number;
  std::string entry::*text;
};

inline field const fields[] = {
    {"registers", "registers", "registers", "registers", shown::number, true, &entry::registers, nullptr},
    {"static", "static_shared_memory", "static shared memory", "static shared memory", shown::number, true,
     &entry::static_shared_memory, nullptr},
    {"spills", "spill_stores", "spills", "spill stores", shown::number, true, &entry::spill_stores, nullptr},
    {"spills", "spill_loads", "spills", "spill loads", shown::number, true, &entry::spill_loads, nullptr},
    {"stack", "stack", nullptr, "stack", shown::number, true, &entry::stack, nullptr},
    {"barriers", "barriers", nullptr, "barriers", shown::number_or_unknown, true, &entry::barriers, nullptr},
    {nullptr, nullptr, nullptr, nullptr, shown::number, true, &entry::constant_memory, nullptr},
    {"dynamic", "dynamic_shared_memory", nullptr, "dynamic shared memory", shown::number, false,
     &entry::dynamic_shared_memory, nullptr},
    {"threads", "threads", nullptr, nullptr, shown::threads, false, &entry::threads, nullptr},
    {"blocks", "blocks_per_sm", "blocks per SM", nullptr, shown::number, false, &entry::blocks, nullptr},
    {nullptr, "occupancy_percent", "occupancy", nullptr, shown::percent, false, &entry::occupancy, nullptr},
    {nullptr, "limited_by", "limited by", nullptr, shown::text, false, nullptr, &entry::limiter},
    {"flags", "flags", nullptr, nullptr, shown::text, false, nullptr, &entry::flags},
    {"bounds", "bounds_ignored", nullptr, "launch bounds ignored", shown::flag, true, &entry::bounds_ignored, nullptr},
};

/// The measured fields as members of `amounts`.
inline int amounts::*measured_member(field const& each) { return static_cast<int amounts::*>(each.number); }

/// Writes a field for the lock and the table.
inline std::string value_of(field const& each, entry const& e) {
  if (each.as == shown::text) return e.*each.text;
  int const number = e.*each.number;
  if (each.as == shown::number_or_unknown && number < 0) return "?";
  if (each.as == shown::threads) return (e.any_threads ? "any:" : "") + std::to_string(number);
  if (each.as == shown::percent) return decimal_of(number) + " %";
  if (each.as == shown::flag) return "ignored";
  return std::to_string(number);
}

/// The reverse of value_of(). Returns false if the text is malformed.
inline bool read_value(field const& each, std::string const& text, entry& e) {
  if (each.as == shown::text) {
    e.*each.text = text;
    return true;
  }
  int& number = e.*each.number;
  if (each.as == shown::number_or_unknown && text == "?") return true;
  if (each.as == shown::threads) {
    e.any_threads = begins(text, "any:");
    return read_number(e.any_threads ? text.substr(4) : text, number);
  }
  if (each.as == shown::flag) {
    number = 1;
    return text == "ignored";
  }
  return read_number(text, number);
}

/// Writes the measured amounts for the header: "{90, 32, 0, ...}".
inline std::string initializer_of(int compute_capability, amounts const& a) {
  std::string text = "{" + std::to_string(compute_capability);
  for (field const& each : fields) {
    if (!each.is_measured) continue;
    int const number = a.*measured_member(each);
    text += ", ";
    text += each.as != shown::flag ? std::to_string(number) : number != 0 ? "true" : "false";
  }
  return text + "}";
}

/// Whether the lock leaves out a field with its default.
inline bool is_optional(field const& each) { return each.as == shown::flag || each.as == shown::text; }
inline bool has_default(field const& each, entry const& e) {
  return each.as == shown::text ? e.*each.text == "-" : e.*each.number == 0;
}

/// "registers=32 static=0 spills=16/24 ..."
inline std::string numbers_of(entry const& e) {
  std::string text;
  std::string last;
  for (field const& each : fields) {
    if (each.lock == nullptr || (is_optional(each) && has_default(each, e))) continue;
    if (last == each.lock) {
      text += "/" + value_of(each, e);
    } else {
      append(text, " ", each.lock + ("=" + value_of(each, e)));
    }
    last = each.lock;
  }
  return text;
}

/// The reverse of numbers_of(). Returns false if a word is unknown, malformed or missing.
inline bool read_numbers(std::string const& text, entry& e) {
  constexpr std::size_t count = sizeof fields / sizeof fields[0];
  bool is_read[count] = {};
  for (std::string const& word : split(text, ' ')) {
    std::size_t const equals = word.find('=');
    if (equals == std::string::npos) return false;
    std::string const name = word.substr(0, equals);
    std::string const value = word.substr(equals + 1);
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < count; ++i) {
      if (fields[i].lock != nullptr && fields[i].lock == name) members.push_back(i);
    }
    std::vector<std::string> const values = members.size() > 1 ? split(value, '/') : std::vector<std::string>{value};
    if (members.empty() || values.size() != members.size()) return false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!read_value(fields[members[i]], values[i], e)) return false;
      is_read[members[i]] = true;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (fields[i].lock != nullptr && !is_optional(fields[i]) && !is_read[i]) return false;
  }
  return true;
}

}  // namespace measure
