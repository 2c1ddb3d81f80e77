// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The decision: which rule of a contract an architecture breaks first. Everybody asks this one function: the refusals,
/// `is_kept_on`, the launch. refusal.hpp puts the answer into words.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/allocation.hpp"
#include "../model/capacity.hpp"
#include "../model/clusters.hpp"
#include "../model/kernel_resources.hpp"
#include "../model/occupancy.hpp"
#include "options.hpp"

namespace warpguard {

/// The rules, in the order in which they are checked.
enum class violation {
  none,
  block_size,               ///< more threads than a block may have
  registers_per_thread,     ///< max_registers is more than a thread may have
  static_shared_memory,     ///< more static shared memory than a block may have
  shared_memory,            ///< more shared memory than a block that opts in may have
  cluster,                  ///< a larger cluster than the architecture allows
  register_file,            ///< not even one block gets its registers
  minimum_exceeds_maximum,  ///< the promised minimum is more than the promised maximum
  residency,                ///< fewer blocks than promised
  unbounded_registers,      ///< a minimum without anything that bounds the registers
  excess,                   ///< more blocks than promised
};

namespace detail {

inline constexpr shared_memory_config default_config{};

/// Returns the blocks per cluster that may work: the published limit, or any architecture's if none is published.
constexpr int max_cluster_blocks(architecture const& arch) {
  int const published = published_cluster_limit(arch);
  return published != impossible ? published : max_cluster_anywhere;
}

}  // namespace detail

/// Returns the first rule of a contract that an architecture of the table breaks. `kernel` is what the contract states.
/// The options must make a contract.
constexpr violation first_violation(architecture const& arch, resolved_contract const& contract,
                                    kernel_resources const& kernel) {
  int const threads = kernel.threads_per_block;
  if (threads > arch.max_threads_per_block) return violation::block_size;
  if (kernel.registers_per_thread > arch.max_registers_per_thread) return violation::registers_per_thread;
  if (kernel.static_shared_memory > arch.max_shared_per_block_default) return violation::static_shared_memory;
  if (kernel.dynamic_shared_memory > arch.max_shared_per_block_optin - kernel.static_shared_memory) {
    return violation::shared_memory;
  }
  int const cluster = contract.cluster_size();
  if (cluster > arch.max_cluster_portable && cluster > detail::max_cluster_blocks(arch)) return violation::cluster;

  int const warps = (threads - 1) / arch.warp_size + 1;
  int const blocks = detail::resident_blocks(arch, kernel, detail::default_config, warps);
  int const required = contract.blocks_required(arch);
  int const allowed = contract.blocks_allowed();
  if (blocks == 0) return violation::register_file;
  if (required > allowed) return violation::minimum_exceeds_maximum;
  if (blocks < required) return violation::residency;
  if (required > 0 && contract.min_blocks_bound == 0 && contract.max_registers == 0) {
    return violation::unbounded_registers;
  }
  return blocks > allowed ? violation::excess : violation::none;
}
constexpr violation first_violation(architecture const& arch, resolved_contract const& contract) {
  return first_violation(arch, contract, contract.resources());
}

/// The numbers of a violation: what the contract states or reaches, and the limit that this breaks. Both are threads,
/// registers, bytes or blocks, as the rule says.
struct violation_facts {
  long long reached = 0;
  long long limit = 0;
};

/// Returns the numbers of a rule that the contract breaks on an architecture.
constexpr violation_facts facts_of(violation rule, architecture const& arch, resolved_contract const& contract) {
  kernel_resources const kernel = contract.resources();
  int const blocks = occupancy_of(arch, kernel).blocks_per_sm;
  switch (rule) {
    case violation::none: break;
    case violation::block_size: return {kernel.threads_per_block, arch.max_threads_per_block};
    case violation::registers_per_thread: return {kernel.registers_per_thread, arch.max_registers_per_thread};
    case violation::static_shared_memory: return {kernel.static_shared_memory, arch.max_shared_per_block_default};
    case violation::shared_memory:
      return {0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory, arch.max_shared_per_block_optin};
    case violation::cluster: return {contract.cluster_size(), detail::max_cluster_blocks(arch)};
    case violation::register_file:
      return {contract.max_registers, max_registers_per_thread(arch, kernel.threads_per_block, 1)};
    case violation::minimum_exceeds_maximum: return {contract.blocks_required(arch), contract.blocks_allowed()};
    case violation::residency: return {blocks, contract.blocks_required(arch)};
    case violation::unbounded_registers: return {0, contract.blocks_required(arch)};
    case violation::excess: return {blocks, contract.blocks_allowed()};
  }
  return {};
}

}  // namespace warpguard
