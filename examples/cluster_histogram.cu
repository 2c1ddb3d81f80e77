// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// cluster_histogram with more bins than one block has shared memory for: the 4 blocks of a cluster keep a quarter each
/// and count in each other's through distributed shared memory. 160 KiB of bins per block let one block onto an SM; the
/// contract says so, and launches the cluster. For compute capability 9.0.

// What the PTX says, which a test compares:
// ptx: cluster_histogram   maxntid=512,1,1 minnctapersm=1 maxclusterrank=4

#include <cooperative_groups.h>

#include <vector>
#include <warpguard/launch.cuh>
#include <warpguard/shared_layout.hpp>

#include "device.hpp"

namespace wg = warpguard;

constexpr int blocks = 4;
constexpr int bins_per_block = 40 * 1024;
constexpr int bins = blocks * bins_per_block;
constexpr int block_threads = 512;
struct my_bins;
using histogram_layout = wg::shared_layout<wg::shared_array<my_bins, unsigned, bins_per_block>>;

struct cluster_histogram_contract
    : wg::contract<wg::threads_per_block<block_threads>, wg::max_registers<64>, wg::cluster_size<blocks>,
                   wg::dynamic_shared_memory_of<histogram_layout>, wg::exactly_blocks_per_sm<1>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(cluster_histogram_contract)
    cluster_histogram(int n, int const* values, unsigned* counts) {
  extern __shared__ __align__(16) unsigned char memory[];
  unsigned* const mine = histogram_layout::get<my_bins>(memory);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
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
#endif
}

namespace {

bool is_right(int n) {
  std::vector<int> values(static_cast<std::size_t>(n));
  std::vector<unsigned> expected(bins);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i * 7919 % bins);
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
  return examples::run("cluster_histogram", [] { return is_right(1) && is_right(1000003); });
}
