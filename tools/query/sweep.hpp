// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard sweep`: all block sizes on several GPUs, and the one that is best where it is worst.

#pragma once

#include <vector>
#include <warpguard/model/block_size.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include "gpus.hpp"
#include "query.hpp"

namespace measure {

struct sweep_options {
  std::vector<named_gpu> gpus;
  warpguard::kernel_resources kernel{0, 0, 0, 0, 1};  // its block size is not used
  warpguard::shared_memory_config config;
  warpguard::block_size_limits limits;
  bool trade_offs = false;  // what else a block may take, in place of all block sizes
  int min_blocks = 1;       // resident, of the trade-offs
  query_format format = query_format::text;
};

/// Prints the block sizes to standard output, and returns the exit code of the program.
int print_sweep(sweep_options const& options);

}  // namespace measure
