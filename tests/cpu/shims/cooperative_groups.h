// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Stands for CUDA's header of the same name where kernels run on the CPU: the members that the examples use.

#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {

struct grid_group {
  static void sync() { emulator::wait_for_grid(); }
};
inline grid_group this_grid() { return {}; }

struct cluster_group {
  static void sync() { emulator::wait_for_cluster(); }
  static unsigned block_rank() { return emulator::rank_in_cluster(); }
  static unsigned num_blocks() { return emulator::blocks_in_cluster(); }
  template <class Value>
  Value* map_shared_rank(Value* shared, unsigned rank) const {
    return static_cast<Value*>(emulator::in_block_of_cluster(shared, rank));
  }
};
inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
