// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The reports of a build: markdown for a pull request, JSON and SARIF. All of them are written from the kernels and
/// their differences from the lock.

#pragma once

#include <string>
#include <vector>

#include "differences.hpp"
#include "entries.hpp"
#include "kernel_set.hpp"
#include "measured_build.hpp"
#include "request.hpp"

namespace measure {

/// The contents of the reports.
struct report_contents {
  kernel_set kernels;
  kernel_set lock;  // only its origin and its compiler
  bool has_lock = false;
  std::vector<difference> differences;  // from the lock
  std::vector<unused_on> unused;
  bool checks_compiled = true;  // false: the contracts and blocks are the last known ones
};

/// The files that write_reports() writes.
std::vector<std::string> report_files(measure_request const& request);

void write_reports(measure_request const& request, measured_build const& build, report_contents const& contents);

}  // namespace measure
