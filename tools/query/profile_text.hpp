// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What Nsight Compute measured: its CSV, of the raw page (a row for each kernel, a column for each metric), of the
/// details page (a row for each metric of each kernel), and of a summary (`--print-summary per-kernel`).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../text.hpp"

namespace measure {

/// A number of an export. Nsight Compute rounds to two decimals, and scales units: 16384 bytes are 16.38 Kbyte.
struct profiled_number {
  bool is_known = false;
  double value = 0;      // in bytes, nanoseconds, percent, or a count
  double half_step = 0;  // the number is at most this far from `value`, because it is rounded
};

/// A launch of a kernel. With a summary: all launches of one shape, with their averages.
struct profiled_kernel {
  std::string name;
  std::size_t line = 0;        // of the export
  int compute_capability = 0;  // 0: not in the export
  int launches = 1;
  profiled_number threads;  // per block
  profiled_number grid;     // blocks
  profiled_number registers;
  profiled_number static_bytes;
  profiled_number dynamic_bytes;
  profiled_number sms;
  profiled_number duration;     // ns
  profiled_number theoretical;  // percent
  profiled_number achieved;     // percent
  profiled_number limit_by_warps;
  profiled_number limit_by_registers;
  profiled_number limit_by_shared_memory;
  profiled_number limit_by_block_slots;
  profiled_number limit_by_barriers;
};

/// Reads an export; messages call it `origin`. Adds an error if it is none, if it is cut, or if it has no kernel.
std::vector<profiled_kernel> read_profile(std::string const& text, std::string const& origin, failures& failed);

/// The name of a kernel as it can be compared: without its result, its parameters, spaces and casts, because ncu writes
/// `void scale<(int)4>(const T1 *)` where a lock has `void scale<4>(float const*)`.
std::string comparable_name(std::string const& name);

}  // namespace measure
