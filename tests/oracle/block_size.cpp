// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// suggest_block_size() against the searches of NVIDIA's cuda_occupancy.h, included from the user's toolkit: with fixed
/// shared memory, with shared memory that depends on the block size, and with a largest block of the user's. Equal on
/// every input, or one of the register counts that the header grants although no thread has them (docs/deviations.md).
///
///     block_size [COUNT]   compare that many random kernels, 2e6 if not given

#include <cuda_occupancy.h>

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/block_size.hpp>
#include <warpguard/model/kernel_resources.hpp>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cuda_occupancy_device.hpp"

namespace wg = warpguard;

namespace {

struct device {
  wg::architecture const* row;
  cudaOccDeviceProp properties;
};

/// splitmix64
class random_source {
 public:
  int between(int low, int high) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + static_cast<int>((z ^ (z >> 31)) % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(int n) { return between(1, n) == 1; }

 private:
  std::uint64_t state_ = 0xb10c;
};

struct bytes_of {
  int once;
  int per_thread;
  int operator()(int threads) const { return once + per_thread * threads; }
};

bool header_grants_too_many_registers(wg::architecture const& row, int registers) {
  return (row.compute_capability >= 70 && registers == 256) || (row.compute_capability == 30 && registers > 63);
}

}  // namespace

int main(int argc, char** argv) {
  long const wanted = argc > 1 ? static_cast<long>(std::strtod(argv[1], nullptr)) : 2000000;
  std::vector<device> devices;
  for (wg::architecture const* row : wg::architectures) {
    device const d{row, properties_of(*row)};
    cudaOccFuncAttributes attributes{};
    attributes.maxThreadsPerBlock = 1024;
    cudaOccDeviceState const state{};
    int grid = 0;
    int block = 0;
    if (cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &d.properties, &attributes, &state, std::size_t{0}) ==
        CUDA_OCC_SUCCESS) {
      devices.push_back(d);
    }
  }
  if (devices.empty()) {
    std::printf("the header knows no architecture of the table\n");
    return 1;
  }

  random_source random;
  long possible = 0;
  long differences = 0;
  for (long i = 0; i < wanted; ++i) {
    device const& d = devices[static_cast<std::size_t>(random.between(0, static_cast<int>(devices.size()) - 1))];
    wg::architecture const row = as_this_header_has(*d.row);
    wg::kernel_resources kernel{1};
    if (!random.one_in(5)) kernel.registers_per_thread = random.between(0, random.one_in(3) ? 258 : 72);
    if (header_grants_too_many_registers(row, kernel.registers_per_thread)) kernel.registers_per_thread = 63;
    if (random.one_in(2)) kernel.static_shared_memory = random.between(0, random.one_in(2) ? 49152 : 6000);
    if (random.one_in(3)) kernel.barriers = random.between(0, 20);
    if (random.one_in(4)) kernel.virtual_resources = random.between(0, 20);
    if (random.one_in(4)) kernel.caching = static_cast<wg::partitioned_caching>(random.between(0, 2));
    bool const varies = random.one_in(2);
    bytes_of const bytes{random.one_in(2) ? 0 : random.between(0, random.one_in(2) ? 4000 : row.shared_memory_per_sm),
                         varies ? random.between(0, 70) : 0};
    wg::block_size_limits const limits{random.one_in(2) ? random.between(1, 1100) : 0};
    wg::shared_memory_config config;
    if (random.one_in(2)) config.carveout_percent = random.between(-1, 100);
    if (random.one_in(4)) config.preference = static_cast<wg::cache_preference>(random.between(0, 3));
    config.opt_in = !random.one_in(4);

    cudaOccFuncAttributes attributes{};
    attributes.maxThreadsPerBlock = limits.at_most > 0 ? limits.at_most : INT_MAX;
    attributes.numRegs = kernel.registers_per_thread;
    attributes.sharedSizeBytes = static_cast<std::size_t>(kernel.static_shared_memory);
    attributes.partitionedGCConfig = static_cast<cudaOccPartitionedGCConfig>(kernel.caching);
    attributes.shmemLimitConfig = config.opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
    attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(INT_MAX);
    attributes.numBlockBarriers = kernel.barriers;
    attributes.virtualResourceCount = kernel.virtual_resources;
    cudaOccDeviceState state;
    cudaOccCacheConfig const preferences[] = {CACHE_PREFER_NONE, CACHE_PREFER_SHARED, CACHE_PREFER_L1,
                                              CACHE_PREFER_EQUAL};
    state.cacheConfig = preferences[static_cast<int>(config.preference)];
    state.carveoutConfig = config.carveout_percent;

    int grid = 0;
    int theirs = 0;
    int ours = 0;
    cudaOccError status = CUDA_OCC_SUCCESS;
    if (varies) {
      status = cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(
          &grid, &theirs, &d.properties, &attributes, &state,
          [bytes](int threads) { return static_cast<std::size_t>(bytes(threads)); });
      ours = wg::suggest_block_size(row, kernel, bytes, limits, config);
    } else {
      status = cudaOccMaxPotentialOccupancyBlockSize(&grid, &theirs, &d.properties, &attributes, &state,
                                                     static_cast<std::size_t>(bytes.once));
      kernel.dynamic_shared_memory = bytes.once;
      ours = wg::suggest_block_size(row, kernel, limits, config);
    }
    possible += theirs > 0;
    // Where none runs the header says 0.
    if (status == CUDA_OCC_SUCCESS && (theirs > 0 ? ours == theirs : ours == wg::impossible)) continue;
    if (++differences <= 5) {
      std::printf(
          "difference: %d.%d, %d registers, %d B static, %d B and %d B per thread, %d barriers, %d virtual "
          "resources, at most %d threads: header %d, warpguard %d\n",
          row.compute_capability / 10, row.compute_capability % 10, kernel.registers_per_thread,
          kernel.static_shared_memory, bytes.once, bytes.per_thread, kernel.barriers, kernel.virtual_resources,
          limits.at_most, theirs, ours);
    }
  }
  std::printf("block sizes: %ld inputs, %ld of them with a block that runs, %ld differences\n", wanted, possible,
              differences);
  return differences == 0 && possible > wanted / 4 ? 0 : 1;
}
