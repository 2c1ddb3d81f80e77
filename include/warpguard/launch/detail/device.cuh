// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The limits of a device: the row of the table, or for a device without one what the runtime reports.

#pragma once

#include <cuda_runtime.h>

#include "../../hardware/architecture.hpp"
#include "../../hardware/table.hpp"

namespace warpguard::detail {

inline cudaError_t compute_capability(int device, int& capability) {
  int major_part = 0;
  int minor_part = 0;
  cudaError_t status = cudaDeviceGetAttribute(&major_part, cudaDevAttrComputeCapabilityMajor, device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&minor_part, cudaDevAttrComputeCapabilityMinor, device);
  capability = 10 * major_part + minor_part;
  return status;
}

/// Returns the row of the latest earlier compute capability.
inline architecture const& nearest_row(int capability) {
  architecture const* nearest = architectures[0];
  for (architecture const* row : architectures) {
    if (row->compute_capability <= capability) nearest = row;
  }
  return *nearest;
}

/// Sets `arch` to the limits of a device that the table lacks: those that the runtime reports; the others, such as
/// allocation units, are those of the nearest earlier row. `opt_in`: bytes of shared memory that a block can have.
inline cudaError_t limits_from_device(int device, int capability, int opt_in, architecture& arch) {
  arch = nearest_row(capability);
  arch.compute_capability = capability;
  using limit_member = int architecture::*;  // nvcc writes it in another way that g++ warns about
  struct reported_limit {
    cudaDeviceAttr attribute;
    limit_member limit;
  };
  reported_limit const limits[] = {
      {cudaDevAttrMaxThreadsPerBlock, &architecture::max_threads_per_block},
      {cudaDevAttrMaxThreadsPerMultiProcessor, &architecture::max_threads_per_sm},
      {cudaDevAttrMaxBlocksPerMultiprocessor, &architecture::max_blocks_per_sm},
      {cudaDevAttrMaxRegistersPerMultiprocessor, &architecture::registers_per_sm},
      {cudaDevAttrMaxRegistersPerBlock, &architecture::max_registers_per_block},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, &architecture::shared_memory_per_sm},
      {cudaDevAttrMaxSharedMemoryPerBlock, &architecture::max_shared_per_block_default},
      {cudaDevAttrReservedSharedMemoryPerBlock, &architecture::reserved_shared_per_block},
  };
  for (reported_limit const& one : limits) {
    cudaError_t const status = cudaDeviceGetAttribute(&(arch.*one.limit), one.attribute, device);
    if (status != cudaSuccess) return status;
  }
  arch.max_warps_per_sm = arch.max_threads_per_sm / arch.warp_size;
  arch.max_shared_per_block_optin = opt_in;
  // The largest carve-out is the SM's shared memory. Smaller ones are unknown; that all of it is used is always right.
  for (int& carveout : arch.carveouts_kb) carveout = 0;
  arch.carveouts_kb[0] = arch.shared_memory_per_sm / 1024;
  return cudaSuccess;
}

}  // namespace warpguard::detail
