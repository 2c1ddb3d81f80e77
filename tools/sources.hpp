// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Where kernels are read from: the arguments of `--from` and of `warpguard diff`.

#pragma once

#include <string>
#include <vector>

#include "entries.hpp"
#include "kernel_set.hpp"
#include "lock.hpp"
#include "measured_build.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

enum class source_kind {
  log,          // the output of a build
  object_text,  // what `warpguard compile` wrote beside an object, or that object
  folder,       // a folder with such files, at any depth
  measured,     // what warpguard_measure() wrote for a target: request.txt, or the folder that has it
  lock,         // a lock
  unreadable,   // an error was added
};

/// Judges a file by its beginning. "-" is a log on standard input.
source_kind kind_of_source(std::string const& path, failures& failed);

struct source_options {
  std::vector<std::string> from;
  std::string root;                 // the project's folder, which paths of sources begin at; empty: this folder
  std::string compiler;             // as the user states it; empty: found where it can be
  std::vector<std::string> except;  // prefixes of kernels that are left out
  bool largest = false;             // as in `warpguard read`
};

/// The kernels of a build, and the request that says how to measure them. For kernels that CMake did not measure, the
/// request has no target and no objects.
struct measured_source {
  measure_request request;
  measured_build build;
  entry_map entries;
};

/// Reads a build. Its sources are one measured target, or logs, objects and folders.
measured_source read_sources(source_options const& options, failures& failed);

/// Reads one build, log or lock. The result has the policy and the exceptions of a lock, and of anything else none.
lock_file read_kernels(std::string const& path, source_options options, kernel_set& kernels, failures& failed);

}  // namespace measure
