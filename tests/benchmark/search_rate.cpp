// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Searches for the best block size; query_rate.cpp takes the time.

#include "question.hpp"

#include <cuda_occupancy.h>

#include <warpguard/model/block_size.hpp>

#include <vector>

long search_with_warpguard(std::vector<question> const& questions) {
  long threads = 0;
  for (question const& q : questions) {
    int const best = wg::suggest_block_size(*q.arch, q.kernel);
    threads += best != wg::impossible ? best : 0;
  }
  return threads;
}

long search_with_cuda_occupancy(std::vector<question> const& questions) {
  long threads = 0;
  cudaOccDeviceState const state{};
  for (question const& q : questions) {
    cudaOccFuncAttributes const attributes = attributes_of(q.kernel);
    int grid = 0;
    int best = 0;
    cudaOccMaxPotentialOccupancyBlockSize(&grid, &best, q.device, &attributes, &state,
                                          static_cast<size_t>(q.kernel.dynamic_shared_memory));
    threads += best;
  }
  return threads;
}
