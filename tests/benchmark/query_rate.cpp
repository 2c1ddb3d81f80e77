// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Questions and searches for a block size per second at run time, side by side with the toolkit's cuda_occupancy.h on
/// the same inputs. Prints rates and their ratios; asserts only that both answer the same.

#include "question.hpp"

#include <cuda_occupancy.h>

#include <warpguard/warpguard.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "../oracle/cuda_occupancy_device.hpp"

namespace {

long ask_warpguard(std::vector<question> const& questions) {
  long blocks = 0;
  for (question const& q : questions) blocks += wg::occupancy_of(*q.arch, q.kernel).blocks_per_sm;
  return blocks;
}

long ask_cuda_occupancy(std::vector<question> const& questions) {
  long blocks = 0;
  cudaOccDeviceState const state{};
  for (question const& q : questions) {
    cudaOccFuncAttributes const attributes = attributes_of(q.kernel);
    cudaOccResult result{};
    cudaOccMaxActiveBlocksPerMultiprocessor(&result, q.device, &attributes, &state, q.kernel.threads_per_block,
                                            static_cast<size_t>(q.kernel.dynamic_shared_memory));
    blocks += result.activeBlocksPerMultiprocessor;
  }
  return blocks;
}

/// The best of several rounds, in questions per second; the sum of the answers in `sum`.
template <class Ask>
double rate_of(Ask ask, std::vector<question> const& questions, long& sum) {
  using clock = std::chrono::steady_clock;
  double best = 0;
  for (int round = 0; round < 9; ++round) {
    auto const start = clock::now();
    sum = ask(questions);
    std::chrono::duration<double> const seconds = clock::now() - start;
    best = std::max(best, static_cast<double>(questions.size()) / seconds.count());
  }
  return best;
}

/// Prints both rates; whether both answer the same.
template <class Ours, class Theirs>
bool compare(char const* what, Ours ours, Theirs theirs, std::vector<question> const& questions) {
  long our_sum = 0;
  long their_sum = 0;
  double const our_rate = rate_of(ours, questions, our_sum);
  double const their_rate = rate_of(theirs, questions, their_sum);
  std::printf("%-12s warpguard %6.2f, cuda_occupancy.h %6.2f million per second, ratio %5.2f\n", what, our_rate / 1e6,
              their_rate / 1e6, our_rate / their_rate);
  if (our_sum != their_sum) std::printf("%s: the answers differ: %ld and %ld in all\n", what, our_sum, their_sum);
  return our_sum == their_sum;
}

}  // namespace

int main() {
  std::vector<cudaOccDeviceProp> devices;
  for (wg::architecture const* arch : wg::architectures) devices.push_back(properties_of(*arch));

  std::vector<question> questions;
  unsigned random = 1;
  auto const below = [&random](unsigned limit) {
    random = random * 1664525u + 1013904223u;
    return static_cast<int>((random >> 8) % limit);
  };
  while (questions.size() < 1000000) {
    auto const row = static_cast<size_t>(below(static_cast<unsigned>(devices.size())));
    if (wg::architectures[row]->compute_capability < 50) continue;
    questions.push_back({wg::architectures[row],
                         &devices[row],
                         {32 * (1 + below(32)), below(256), below(16 * 1024), below(64 * 1024), below(17)}});
  }

  bool equal = compare("occupancy", ask_warpguard, ask_cuda_occupancy, questions);
  std::vector<question> const fewer(questions.begin(), questions.begin() + 50000);
  equal = compare("block size", search_with_warpguard, search_with_cuda_occupancy, fewer) && equal;
  return equal ? 0 : 1;
}
