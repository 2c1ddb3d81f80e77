// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// cluster_histogram counts more bins than fit into the shared memory of one block. Each of the 4 blocks of a cluster
/// holds a quarter of the bins, and the blocks update each other's bins through distributed shared memory. For compute
/// capability 9.0. Contract: cluster_histogram_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: cluster_histogram   maxntid=512,1,1 minnctapersm=1 maxclusterrank=4

#include <cooperative_groups.h>

#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "cluster_histogram_contract.hpp"

constexpr int blocks = cluster_histogram_blocks;
constexpr int bins_per_block = cluster_histogram_bins_per_block;
constexpr int bins = cluster_histogram_bins;
constexpr int block_threads = cluster_histogram_block_threads;

__global__ void WARPGUARD_LAUNCH_BOUNDS(cluster_histogram_contract)
    cluster_histogram(int n, int const* values, unsigned* counts) {
  unsigned* const mine = cluster_histogram_layout::get<my_bins>(cluster_histogram_layout::dynamic_memory());
  auto const cluster = cooperative_groups::this_cluster();
  for (unsigned i = threadIdx.x; i < bins_per_block; i += block_threads) mine[i] = 0;
  cluster.sync();
  for (long long i = 1LL * blockIdx.x * block_threads + threadIdx.x; i < n; i += 1LL * gridDim.x * block_threads) {
    unsigned const owner = static_cast<unsigned>(values[i] / bins_per_block);
    atomicAdd(cluster.map_shared_rank(mine, owner) + values[i] % bins_per_block, 1u);
  }
  cluster.sync();
  unsigned const first = cluster.block_rank() * bins_per_block;
  for (unsigned i = threadIdx.x; i < bins_per_block; i += block_threads) {
    if (mine[i] != 0) atomicAdd(&counts[first + i], mine[i]);
  }
}

namespace {

bool is_correct(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::vector<unsigned> expected(bins);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>((i * i / 7 + i) % bins);  // several clusters count the same bin
    ++expected[static_cast<std::size_t>(values[i])];
  }
  examples::device_buffer<int> const device_values(values);
  examples::device_buffer<unsigned> const counts(std::vector<unsigned>(bins, 0u));
  examples::check(wg::launch<cluster_histogram_contract>(cluster_histogram, dim3(4 * blocks), nullptr, n,
                                                         device_values.data(), counts.data()));
  return counts.to_host() == expected;
}

}  // namespace

int main() {
  return examples::run(
      "cluster_histogram", [] { return is_correct(1) && is_correct(1000003); }, 90);
}
