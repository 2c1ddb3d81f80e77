// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// An input of the benchmark query_rate, for warpguard and for cuda_occupancy.h.

#pragma once

#include <cuda_occupancy.h>

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>

#include <vector>

namespace wg = warpguard;

struct query {
  wg::architecture const* arch;
  cudaOccDeviceProp const* device;
  wg::kernel_resources kernel;
};

inline cudaOccFuncAttributes attributes_of(wg::kernel_resources const& kernel) {
  cudaOccFuncAttributes attributes{};
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = kernel.registers_per_thread;
  attributes.sharedSizeBytes = static_cast<size_t>(kernel.static_shared_memory);
  attributes.maxDynamicSharedSizeBytes = static_cast<size_t>(kernel.dynamic_shared_memory);
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.numBlockBarriers = kernel.barriers;
  return attributes;
}

// In a translation unit of their own (search_rate.cpp), because compilers inline the header's functions only if they
// have one caller.
long search_with_warpguard(std::vector<query> const& queries);
long search_with_cuda_occupancy(std::vector<query> const& queries);
