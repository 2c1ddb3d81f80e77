// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard query`: how many blocks of a kernel are resident, what limits them, and what one step would give.

#pragma once

#include <string>
#include <vector>

#include "../sources.hpp"
#include "amounts.hpp"
#include "gpus.hpp"

namespace measure {

enum class query_format { text, json, csv, markdown };

struct query_options {
  std::vector<named_gpu> gpus;
  amount_range threads;  // per block; 0: not stated
  amount_range registers;
  amount_range static_bytes;
  amount_range dynamic_bytes;
  int barriers = 1;
  int carveout = -1;        // percent; -1: not stated
  long long grid = 0;       // blocks; 0: not stated
  int want_blocks = 0;      // per SM; 0: not stated
  int want_hundredths = 0;  // hundredths of a percent of the warp slots; 0: not stated
  source_options source;    // where kernels are read from; empty: the user states the numbers of one
  std::string kernel;       // with `source`: a part of the kernels' names
  query_format format = query_format::text;
  std::string picture;  // a file; empty: none is drawn

  bool wants_more() const { return want_blocks > 0 || want_hundredths > 0; }
};

/// Prints the answers to standard output, and returns the exit code of the program.
int print_query(query_options const& options);

}  // namespace measure
