// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The block-size searches that query_rate.cpp measures.

#include "query.hpp"

#include <cuda_occupancy.h>

#include <warpguard/model/block_size.hpp>

#include <vector>

long search_with_warpguard(std::vector<query> const& queries) {
  long threads = 0;
  for (query const& q : queries) {
    int const best = wg::suggest_block_size(*q.arch, q.kernel);
    threads += best != wg::impossible ? best : 0;
  }
  return threads;
}

long search_with_cuda_occupancy(std::vector<query> const& queries) {
  long threads = 0;
  cudaOccDeviceState const state{};
  for (query const& q : queries) {
    cudaOccFuncAttributes const attributes = attributes_of(q.kernel);
    int grid = 0;
    int best = 0;
    cudaOccMaxPotentialOccupancyBlockSize(&grid, &best, q.device, &attributes, &state,
                                          static_cast<size_t>(q.kernel.dynamic_shared_memory));
    threads += best;
  }
  return threads;
}
