// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// One question to both sides: the model, and the toolkit's cuda_occupancy.h.

#pragma once

#include <algorithm>
#include <climits>
#include <cstddef>
#include <sstream>
#include <string>

#include <cuda_occupancy.h>

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include "cuda_occupancy_device.hpp"

// ---- questions --------------------------------------------------------------------------------------------------

struct question {
  warpguard::architecture const* row;
  warpguard::kernel_resources kernel;
  warpguard::shared_memory_config config;
  int granted_dynamic;  ///< cudaFuncAttributeMaxDynamicSharedMemorySize; at least the launch's, if opted in
};

inline std::string describe(warpguard::architecture const& row, warpguard::kernel_resources const& kernel,
                            warpguard::shared_memory_config const& config) {
  static char const* const preferences[] = {"none", "shared", "l1", "equal"};
  static char const* const cachings[] = {"off", "on", "strict"};
  std::ostringstream text;
  text << row.compute_capability / 10 << '.' << row.compute_capability % 10 << ", " << kernel.threads_per_block
       << " threads";
  if (kernel.registers_per_thread != 0) text << ", " << kernel.registers_per_thread << " registers";
  if (kernel.static_shared_memory != 0) text << ", " << kernel.static_shared_memory << " B static";
  if (kernel.dynamic_shared_memory != 0) text << ", " << kernel.dynamic_shared_memory << " B dynamic";
  if (kernel.barriers != 1) text << ", " << kernel.barriers << " barriers";
  if (kernel.virtual_resources != 0) text << ", " << kernel.virtual_resources << " virtual resources";
  if (kernel.caching != warpguard::partitioned_caching::off) {
    text << ", partitioned caching " << cachings[static_cast<int>(kernel.caching)];
  }
  if (config.carveout_percent != -1) text << ", carve-out " << config.carveout_percent << " %";
  if (config.preference != warpguard::cache_preference::none) {
    int const preference = static_cast<int>(config.preference);
    text << ", preference " << (preference >= 0 && preference <= 3 ? preferences[preference] : "unknown");
  }
  if (!config.opt_in) text << ", not opted in";
  return text.str();
}

// ---- the header's side ------------------------------------------------------------------------------------------

inline cudaOccFuncAttributes attributes_of(question const& q) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = q.kernel.registers_per_thread;
  attributes.sharedSizeBytes = static_cast<std::size_t>(q.kernel.static_shared_memory);
  attributes.partitionedGCConfig = static_cast<cudaOccPartitionedGCConfig>(q.kernel.caching);
  attributes.shmemLimitConfig = q.config.opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(q.granted_dynamic);
  attributes.numBlockBarriers = q.kernel.barriers;
  attributes.virtualResourceCount = q.kernel.virtual_resources;
  return attributes;
}

inline cudaOccDeviceState state_of(question const& q) {
  static cudaOccCacheConfig const preferences[] = {CACHE_PREFER_NONE, CACHE_PREFER_SHARED, CACHE_PREFER_L1,
                                                   CACHE_PREFER_EQUAL};
  cudaOccDeviceState state;
  int const preference = static_cast<int>(q.config.preference);
  // What the header makes of a value of no name is asked through 'none': its switches send both to the same branch.
  state.cacheConfig = preference >= 0 && preference <= 3 ? preferences[preference] : CACHE_PREFER_NONE;
  state.carveoutConfig = q.config.carveout_percent;
  return state;
}

inline cudaOccError ask_header(cudaOccResult& result, cudaOccDeviceProp const& properties, question const& q) {
  cudaOccFuncAttributes const attributes = attributes_of(q);
  cudaOccDeviceState const state = state_of(q);
  return cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, q.kernel.threads_per_block,
                                                 static_cast<std::size_t>(q.kernel.dynamic_shared_memory));
}

inline bool header_knows(warpguard::architecture const& row) {
  cudaOccResult result{};
  return ask_header(result, properties_of(row), {&row, {32}, {}, 0}) == CUDA_OCC_SUCCESS;
}

// ---- the comparison ---------------------------------------------------------------------------------------------

inline unsigned exact_limiters(cudaOccResult const& result) {
  int const blocks = result.activeBlocksPerMultiprocessor;
  return (result.blockLimitWarps == blocks ? 1u * OCC_LIMIT_WARPS : 0u) |
         (result.blockLimitRegs == blocks ? 1u * OCC_LIMIT_REGISTERS : 0u) |
         (result.blockLimitSharedMem == blocks ? 1u * OCC_LIMIT_SHARED_MEMORY : 0u) |
         (result.blockLimitBlocks == blocks ? 1u * OCC_LIMIT_BLOCKS : 0u) |
         (result.blockLimitBarriers == blocks ? 1u * OCC_LIMIT_BARRIERS : 0u) |
         (result.blockLimitVirtual == blocks ? 1u * OCC_LIMIT_VIRTUAL_RESOURCES : 0u);
}

/// The resources that would limit if barriers did not: the bits that the header leaves set when barriers do.
inline unsigned limiters_before_barriers(cudaOccResult const& result) {
  cudaOccResult before = result;
  before.blockLimitBarriers = INT_MAX;
  before.activeBlocksPerMultiprocessor =
      std::min({result.blockLimitWarps, result.blockLimitRegs, result.blockLimitSharedMem, result.blockLimitBlocks,
                result.blockLimitVirtual});
  return exact_limiters(before);
}

/// docs/deviations.md: the header grants one register more than a thread can name, and on 3.0 all of 3.5's.
inline bool header_grants_too_many_registers(int compute_capability, int registers) {
  return (compute_capability >= 70 && registers == 256) ||
         (compute_capability == 30 && registers >= 64 && registers <= 255);
}

enum class verdict { equal, known_deviation, different };

inline verdict compare(warpguard::occupancy const& ours, cudaOccResult const& theirs, question const& q) {
  if (ours.blocks_by_warps != theirs.blockLimitWarps || ours.blocks_by_shared_memory != theirs.blockLimitSharedMem ||
      ours.blocks_by_block_slots != theirs.blockLimitBlocks || ours.blocks_by_barriers != theirs.blockLimitBarriers ||
      ours.blocks_by_virtual_resources != theirs.blockLimitVirtual) {
    return verdict::different;
  }
  if (theirs.blockLimitSharedMem > 0 &&
      static_cast<std::size_t>(ours.shared_memory_per_block) != theirs.allocatedSharedMemPerBlock) {
    return verdict::different;
  }
  if (header_grants_too_many_registers(q.row->compute_capability, q.kernel.registers_per_thread)) {
    bool const refused = ours.blocks_per_sm == 0 && ours.blocks_by_registers == 0;
    if (!refused) return verdict::different;
    return theirs.blockLimitRegs == 0 ? verdict::equal : verdict::known_deviation;
  }
  if (ours.blocks_per_sm != theirs.activeBlocksPerMultiprocessor || ours.blocks_by_registers != theirs.blockLimitRegs) {
    return verdict::different;
  }
  if (theirs.blockLimitRegs > 0 && ours.registers_per_block != theirs.allocatedRegistersPerBlock) {
    return verdict::different;
  }
  unsigned const limiters = static_cast<unsigned>(ours.limited_by);
  if (limiters != exact_limiters(theirs)) return verdict::different;
  if ((ours.obstructed_by == warpguard::obstacle::none) != (theirs.activeBlocksPerMultiprocessor > 0)) {
    return verdict::different;
  }
  if (limiters == theirs.limitingFactors) return verdict::equal;
  // docs/deviations.md: the header does not take back the bits that it set before it looked at barriers.
  bool const stale = theirs.limitingFactors == (limiters | limiters_before_barriers(theirs)) &&
                     limiters == static_cast<unsigned>(OCC_LIMIT_BARRIERS);
  return stale ? verdict::known_deviation : verdict::different;
}
