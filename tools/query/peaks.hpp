// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard peak`: how many operations per second a GPU can do at most.

#pragma once

#include <string>
#include <vector>
#include <warpguard/hardware/peak.hpp>

#include "gpus.hpp"
#include "query.hpp"

namespace measure {

/// The name of a precision on the command line: "tensor-fp16".
std::string name_of(warpguard::precision numbers);

/// Reads a precision; "fp16-tensor" is "tensor-fp16". Returns an error message, or an empty string.
std::string read_precision(std::string const& text, warpguard::precision& numbers);

struct peak_command_options {
  std::vector<named_gpu> gpus;                   // each a product
  std::vector<warpguard::precision> precisions;  // empty: all
  warpguard::peak_options how;
  query_format format = query_format::text;
};

/// Prints peaks to standard output, and returns the exit code of the program.
int print_peaks(peak_command_options const& options);

}  // namespace measure
