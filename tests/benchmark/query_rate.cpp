// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Measures occupancy queries and block-size searches per second at run time, for warpguard and for the toolkit's
/// cuda_occupancy.h on the same inputs. Prints both rates and their ratio; fails only if the results differ.

#include "query.hpp"

#include <cuda_occupancy.h>

#include <warpguard/warpguard.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "../oracle/cuda_occupancy_device.hpp"

namespace {

long query_warpguard(std::vector<query> const& queries) {
  long blocks = 0;
  for (query const& q : queries) blocks += wg::occupancy_of(*q.arch, q.kernel).blocks_per_sm;
  return blocks;
}

long query_cuda_occupancy(std::vector<query> const& queries) {
  long blocks = 0;
  cudaOccDeviceState const state{};
  for (query const& q : queries) {
    cudaOccFuncAttributes const attributes = attributes_of(q.kernel);
    cudaOccResult result{};
    cudaOccMaxActiveBlocksPerMultiprocessor(&result, q.device, &attributes, &state, q.kernel.threads_per_block,
                                            static_cast<size_t>(q.kernel.dynamic_shared_memory));
    blocks += result.activeBlocksPerMultiprocessor;
  }
  return blocks;
}

/// Returns the best rate of several rounds in queries per second. Sets `sum` to the sum of the results.
template <class Run>
double rate_of(Run run, std::vector<query> const& queries, long& sum) {
  using clock = std::chrono::steady_clock;
  double best = 0;
  for (int round = 0; round < 9; ++round) {
    auto const start = clock::now();
    sum = run(queries);
    std::chrono::duration<double> const seconds = clock::now() - start;
    best = std::max(best, static_cast<double>(queries.size()) / seconds.count());
  }
  return best;
}

/// Prints both rates. Returns whether the sums of the results are equal.
template <class Ours, class Theirs>
bool compare(char const* what, Ours ours, Theirs theirs, std::vector<query> const& queries) {
  long our_sum = 0;
  long their_sum = 0;
  double const our_rate = rate_of(ours, queries, our_sum);
  double const their_rate = rate_of(theirs, queries, their_sum);
  std::printf("%-12s warpguard %6.2f, cuda_occupancy.h %6.2f million per second, ratio %5.2f\n", what, our_rate / 1e6,
              their_rate / 1e6, our_rate / their_rate);
  if (our_sum != their_sum) std::printf("%s: the results differ: sums %ld and %ld\n", what, our_sum, their_sum);
  return our_sum == their_sum;
}

}  // namespace

int main() {
  std::vector<cudaOccDeviceProp> devices;
  for (wg::architecture const* arch : wg::architectures) devices.push_back(properties_of(*arch));

  std::vector<query> queries;
  unsigned random = 1;
  auto const below = [&random](unsigned limit) {
    random = random * 1664525u + 1013904223u;
    return static_cast<int>((random >> 8) % limit);
  };
  while (queries.size() < 1000000) {
    auto const row = static_cast<size_t>(below(static_cast<unsigned>(devices.size())));
    if (wg::architectures[row]->compute_capability < 50) continue;
    queries.push_back({wg::architectures[row],
                       &devices[row],
                       {32 * (1 + below(32)), below(256), below(16 * 1024), below(64 * 1024), below(17)}});
  }

  bool equal = compare("occupancy", query_warpguard, query_cuda_occupancy, queries);
  std::vector<query> const fewer(queries.begin(), queries.begin() + 50000);
  equal = compare("block size", search_with_warpguard, search_with_cuda_occupancy, fewer) && equal;
  return equal ? 0 : 1;
}
