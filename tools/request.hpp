// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The request: a file that the CMake function warpguard_measure() writes. It tells the program `warpguard` what to
/// measure and where to write the results. The first line is `warpguard-request 1`. Then each value has its own line:
/// `object <path>`.

#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "names.hpp"
#include "text.hpp"

namespace measure {

struct measure_request {
  std::string target;    // a C++ identifier
  std::string name;      // in CMake; empty if the kernels are read without CMake
  std::string compiler;  // for example nvcc 13.0.88; empty if unknown
  std::string nvcc;
  std::string header;
  std::string lock;
  std::string reports;
  std::string contracts;
  std::string root;            // the project's folder, to which the reports' paths are relative
  std::string today;           // for example 2026-11-21; empty except in tests
  std::string strict;          // ON: every difference from the lock fails
  std::string record_command;  // without CMake: records the lock; {} stands for update or record-anew
  std::vector<std::string> objects;
  std::vector<std::string> libraries;  // the libraries that relocatable objects are linked with
  std::vector<std::string> called;     // the objects of those libraries that this build compiles
  std::vector<std::string> skipped;    // linked items that warpguard_measure() could not resolve
  std::vector<std::string> checks;
  std::vector<std::string> check_objects;  // the objects of the CHECKS
  std::vector<std::string> except;         // prefixes of kernels that are left out of the lock and the reports

  /// Makes a path in the project's folder relative, so that it is the same on every machine.
  std::string within_root(std::string const& path) const {
    return !root.empty() && begins(path, root + "/") ? path.substr(root.size() + 1) : path;
  }

  /// What a person has to do to record the lock, or to record all of its lines anew.
  std::string how_to_update() const { return how_to_record("update"); }
  std::string how_to_record_anew() const { return how_to_record("record-anew"); }

  bool is_strict() const { return strict == "ON"; }

  bool leaves_out(std::string const& kernel) const {
    return std::any_of(except.begin(), except.end(), [&](std::string const& prefix) { return begins(kernel, prefix); });
  }

 private:
  std::string how_to_record(std::string verb) const {
    if (!name.empty()) {
      std::replace(verb.begin(), verb.end(), '-', '_');
      return "build the target " + name + "_warpguard_" + verb;
    }
    std::string command = record_command.empty() ? "warpguard lock {} " + lock : record_command;
    for (std::size_t at; (at = command.find("{}")) != std::string::npos;) command.replace(at, 2, verb);
    return "run `" + command + "`";
  }
};

/// The file with the compiler's messages for CHECKS. It exists only if the compiler refused them.
inline std::string refusal_of(std::string const& check_object) { return check_object + ".refused"; }

inline measure_request read_request(std::string const& path, failures& failed) {
  struct single_value {
    char const* key;
    std::string measure_request::*member;
  };
  struct several_values {
    char const* key;
    std::vector<std::string> measure_request::*member;
  };
  using r = measure_request;
  single_value const single[] = {{"target", &r::target},       {"name", &r::name},     {"compiler", &r::compiler},
                                 {"nvcc", &r::nvcc},           {"header", &r::header}, {"lock", &r::lock},
                                 {"reports", &r::reports},     {"root", &r::root},     {"today", &r::today},
                                 {"contracts", &r::contracts}, {"strict", &r::strict}};
  several_values const several[] = {{"object", &r::objects},
                                    {"library", &r::libraries},
                                    {"called", &r::called},
                                    {"skipped", &r::skipped},
                                    {"check", &r::checks},
                                    {"except", &r::except},
                                    {"check_object", &r::check_objects}};
  measure_request request;
  std::string text;
  if (!read_file(path, text)) {
    failed.add(path + ": cannot read this file: " + std::strerror(errno));
  } else if (!begins(text, "warpguard-request 1\n")) {
    failed.add(path + ": this file was not written by warpguard_measure() of this version");
  }
  for (std::string const& line : lines_of(text)) {
    std::size_t const space = line.find(' ');
    if (space == std::string::npos || space + 1 == line.size()) continue;
    std::string const key = line.substr(0, space);
    std::string const value = line.substr(space + 1);
    for (single_value const& each : single) {
      if (key == each.key) request.*each.member = value;
    }
    for (several_values const& each : several) {
      if (key == each.key) (request.*each.member).push_back(value);
    }
  }
  for (std::string const& prefix : request.except) {
    if (prefix.size() > shortened_beginning) {
      failed.add(path + ": EXCEPT has a prefix of more than " + std::to_string(shortened_beginning) +
                 " characters, but longer names are shortened there: " + prefix);
    }
  }
  if (!is_identifier(request.target)) request.target += "_";  // the name is a keyword
  return request;
}

}  // namespace measure
