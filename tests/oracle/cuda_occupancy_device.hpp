// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Converts a row of the table to the device properties of the toolkit's cuda_occupancy.h. Every comparison with that
/// header uses this conversion.

#pragma once

#include <cuda_occupancy.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <warpguard/hardware/table.hpp>

/// The version of the toolkit: 13010 is CUDA 13.1. The header itself defines no version.
inline constexpr int header_version = CUDART_VERSION;

/// Returns the row with the numbers of this header: from CUDA 13.3 on, 10.3 has half as many barriers per SM
/// (docs/deviations.md).
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
