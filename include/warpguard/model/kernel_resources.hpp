// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The inputs of occupancy_of() besides the architecture: what one block of a kernel takes, and how the SM's shared
/// memory is configured.

#pragma once

#include "../hardware/host_device.hpp"

namespace warpguard {

/// Partitioned global caching (5.2, 5.3, 6.1, 6.2): a block that caches global loads in L1 lives in one half of the SM.
enum class partitioned_caching {
  off,     ///< the default
  on,      ///< used if a block fits half an SM, otherwise not
  strict,  ///< used always
};

/// What one block of a kernel takes from an SM. An aggregate; ptxas and cudaFuncGetAttributes() report these numbers.
struct kernel_resources {
  int threads_per_block;          ///< threads, all dimensions multiplied
  int registers_per_thread = 0;   ///< 32-bit registers; 0: registers do not limit
  int static_shared_memory = 0;   ///< bytes per block, without the driver's reserve
  int dynamic_shared_memory = 0;  ///< bytes per block, as given to the launch
  int barriers = 1;               ///< named barriers per block; `__syncthreads` is one; 0: barriers do not limit
  int virtual_resources = 0;      ///< cuda_occupancy.h's "virtual resources" per block, 10.x to 12.x; 0: do not limit
  partitioned_caching caching = partitioned_caching::off;  ///< ignored where the architecture has no such mode
};

/// cudaFuncCache: whether a kernel prefers L1 or shared memory.
enum class cache_preference {
  none,    ///< no preference
  shared,  ///< as much shared memory as possible
  l1,      ///< as much L1 as possible
  equal,   ///< as much of one as of the other
};

/// How an SM's memory is split between L1 and shared memory, and how much of it one block may ask for.
struct shared_memory_config {
  /// 7.0 and later: percent of the SM's shared memory, 0 to 100, rounded up to the next carve-out; -1 leaves it to
  /// `preference`. The driver takes a larger carve-out if one block needs it.
  int carveout_percent = -1;
  cache_preference preference = cache_preference::none;  ///< none gives the whole SM to shared memory
  /// Whether the kernel opted in to more than 48 KiB per block (cudaFuncAttributeMaxDynamicSharedMemorySize).
  bool opt_in = true;
};

}  // namespace warpguard
