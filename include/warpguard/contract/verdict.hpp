// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Whether one architecture can keep the terms of a contract: a decision over values. guard.hpp puts it into words.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/clusters.hpp"
#include "contract.hpp"
#include "../model/occupancy.hpp"
#include "contract_terms.hpp"

namespace warpguard::detail {

/// The first rule that the terms break on an architecture, in the order in which they are looked at.
enum class verdict {
  kept,
  block_size,            ///< more threads than a block may have
  registers_per_thread,  ///< a larger max_registers than a thread may have
  static_shared_memory,  ///< more static shared memory than a block may have
  shared_memory,         ///< more shared memory than a block that opts in may have
  cluster,               ///< a larger cluster than the architecture has
  register_file,         ///< not even one block gets its registers
  free_registers,        ///< a minimum, but nothing that bounds registers
  residency,             ///< fewer blocks than promised
  excess,                ///< more blocks than promised
};

/// Blocks per cluster that are not certain to fail; as many as any architecture has where nobody has published a limit.
constexpr int max_cluster(architecture const& arch) {
  int const published = published_cluster_limit(arch);
  return published != impossible ? published : largest_cluster;
}

/// `required`: the blocks per SM that the promise comes to.
constexpr verdict judge(architecture const& arch, contract_terms const& terms, int required) {
  kernel_resources const kernel = terms.resources();
  if (kernel.threads_per_block > arch.max_threads_per_block) return verdict::block_size;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return verdict::registers_per_thread;
  if (kernel.static_shared_memory > arch.max_shared_per_block_default) return verdict::static_shared_memory;
  if (kernel.dynamic_shared_memory > arch.max_shared_per_block_optin - kernel.static_shared_memory) {
    return verdict::shared_memory;
  }
  if (terms.cluster_size() > 1 && terms.cluster_size() > max_cluster(arch)) return verdict::cluster;

  int const blocks = occupancy_of(arch, kernel).blocks_per_sm;
  if (blocks == 0) return verdict::register_file;
  if (required > 0 && !terms.forced && terms.max_registers == 0) return verdict::free_registers;
  if (blocks < required) return verdict::residency;
  if (blocks > terms.blocks_allowed()) return verdict::excess;
  return verdict::kept;
}
constexpr verdict judge(architecture const& arch, contract_terms const& terms) {
  return judge(arch, terms, terms.blocks_required(arch));
}

}  // namespace warpguard::detail
