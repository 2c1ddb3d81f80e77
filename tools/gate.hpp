// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard lock` and `warpguard diff`: compares a build with its lock or with another build, and records the lock.

#pragma once

#include <string>
#include <vector>

#include "sources.hpp"

namespace measure {

struct gate_options {
  std::string lock;
  source_options source;
  bool strict = false;         // every difference fails
  std::string record_command;  // what messages advise; {} stands for update or record-anew; empty: our own command
};

enum class diff_format { text, markdown, json, sarif, html };

struct diff_options {
  diff_format format = diff_format::text;
  std::string old_source;
  std::string new_source;
  source_options source;  // `from` is not used
};

// Each returns the exit code of the program.

int check_lock(gate_options const& options);
int update_lock(gate_options const& options);
int record_lock_anew(gate_options const& options);

/// Checks locks without a build: their format, digest, exceptions and dates.
int verify_locks(std::vector<std::string> const& locks);

/// Compares two builds, logs or locks.
int print_diff(diff_options const& options);

}  // namespace measure
