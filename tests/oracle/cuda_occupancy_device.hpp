// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A row of the table as the toolkit's cuda_occupancy.h wants its device: the one translation that every comparison
/// with that header goes through.

#pragma once

#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <warpguard/hardware/table.hpp>

/// The toolkit that the header is of, which its own macros do not say: 13010 is CUDA 13.1.
inline constexpr int header_version = CUDART_VERSION;

/// docs/deviations.md: the headers of CUDA 13.3 and later have half as many barriers on an SM of 10.3.
inline warpguard::architecture as_this_header_has(warpguard::architecture row) {
  if (header_version >= 13030 && row.compute_capability == 103) row.block_barriers_per_sm /= 2;
  return row;
}

inline cudaOccDeviceProp properties_of(warpguard::architecture const& row) {
  cudaOccDeviceProp properties;
  properties.computeMajor = row.compute_capability / 10;
  properties.computeMinor = row.compute_capability % 10;
  properties.maxThreadsPerBlock = row.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = row.max_threads_per_sm;
  properties.regsPerBlock = row.max_registers_per_block;
  properties.regsPerMultiprocessor = row.registers_per_sm;
  properties.warpSize = row.warp_size;
  properties.sharedMemPerBlock = static_cast<std::size_t>(row.max_shared_per_block_default);
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(row.shared_memory_per_sm);
  properties.numSms = 1;
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(row.max_shared_per_block_optin);
  properties.reservedSharedMemPerBlock = static_cast<std::size_t>(row.reserved_shared_per_block);
  return properties;
}
