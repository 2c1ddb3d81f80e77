// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares suggest_block_size() with the searches of the toolkit's cuda_occupancy.h on random kernels: with fixed
/// shared memory, with shared memory that depends on the block size, and with a largest block size. Every result must
/// be equal. Register counts that the header accepts although no thread can have them are left out
/// (docs/deviations.md).
///
///     block_size [COUNT]   compares COUNT random kernels; the default is 2e6

#include <cuda_occupancy.h>

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/block_size.hpp>
#include <warpguard/model/kernel_resources.hpp>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../extreme_values.hpp"
#include "cuda_occupancy_device.hpp"

namespace wg = warpguard;

namespace {

struct device {
  wg::architecture const* row;
  cudaOccDeviceProp properties;
};

struct bytes_of {
  int once;
  int per_thread;
  int operator()(int threads) const { return once + per_thread * threads; }
};

bool header_accepts_too_many_registers(wg::architecture const& row, int registers) {
  return (row.compute_capability >= 70 && registers == 256) || (row.compute_capability == 30 && registers > 63);
}

}  // namespace

int main(int argc, char** argv) {
  long const count = argc > 1 ? static_cast<long>(std::strtod(argv[1], nullptr)) : 2000000;
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

  inputs::random_source random(0xb10c);
  auto const one_in = [&random](int n) { return random.between(1, n) == 1; };
  long possible = 0;
  long differences = 0;
  for (long i = 0; i < count; ++i) {
    device const& d = devices[static_cast<std::size_t>(random.between(0, static_cast<int>(devices.size()) - 1))];
    wg::architecture const row = as_this_header_has(*d.row);
    wg::kernel_resources kernel{1};
    if (!one_in(5)) kernel.registers_per_thread = random.between(0, one_in(3) ? 258 : 72);
    if (header_accepts_too_many_registers(row, kernel.registers_per_thread)) kernel.registers_per_thread = 63;
    if (one_in(2)) kernel.static_shared_memory = random.between(0, one_in(2) ? 49152 : 6000);
    if (one_in(3)) kernel.barriers = random.between(0, 20);
    if (one_in(4)) kernel.virtual_resources = random.between(0, 20);
    if (one_in(4)) kernel.caching = static_cast<wg::partitioned_caching>(random.between(0, 2));
    bool const varies = one_in(2);
    bytes_of const bytes{one_in(2) ? 0 : random.between(0, one_in(2) ? 4000 : row.shared_memory_per_sm),
                         varies ? random.between(0, 70) : 0};
    wg::block_size_limits const limits{one_in(2) ? random.between(1, 1100) : 0};
    wg::shared_memory_config config;
    if (one_in(2)) config.carveout_percent = random.between(-1, 100);
    if (one_in(4)) config.preference = static_cast<wg::cache_preference>(random.between(0, 3));
    config.opt_in = !one_in(4);

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
    // The header returns 0 if no block runs.
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
  std::printf("block sizes: %ld inputs, %ld of them with a block that runs, %ld differences\n", count, possible,
              differences);
  return differences == 0 && possible > count / 4 ? 0 : 1;
}
