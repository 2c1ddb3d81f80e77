// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The decision: which rule of a contract an architecture breaks first. The refusals and `is_kept_on` ask
/// first_violation(), and refusal.hpp puts the answer into words. The launch asks first_broken_limit(), because the
/// driver judges promises.

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
  none,                  ///< the contract is kept
  missing_block,         ///< nothing states the threads per block on the architecture
  fixed_block,           ///< min_threads_per_block beside a fixed block
  empty_block_range,     ///< min_threads_per_block is more than max_threads_per_block
  empty_register_range,  ///< min_registers is more than max_registers
  block_size,            ///< more threads than a block may have
  registers_per_thread,  ///< max_registers is more than a thread may have
  static_shared_memory,  ///< more static shared memory than a block may have
  shared_memory,         ///< more shared memory than a block that opts in may have
  cluster,               ///< a larger cluster than the architecture allows
  register_file,         ///< not even one block gets its registers
  // The promises:
  minimum_exceeds_maximum,  ///< the promised minimum is more than the promised maximum
  residency,                ///< fewer blocks than promised
  unbounded_registers,      ///< a minimum without anything that bounds the registers
  excess,                   ///< more blocks than promised
};

namespace detail {

inline constexpr shared_memory_config default_config{};

/// Returns the blocks per cluster that may work: the published limit, or any architecture's if none is published.
WARPGUARD_DETAIL_HOST constexpr int max_cluster_blocks(architecture const& arch) {
  int const published = published_cluster_limit(arch);
  return published != impossible ? published : max_cluster_anywhere;
}

WARPGUARD_DETAIL_HOST constexpr int warps_of(architecture const& arch, int threads) {
  return (threads - 1) / arch.warp_size + 1;
}

/// Returns the largest block that a launch may choose with as many warps as a block of `threads`.
WARPGUARD_DETAIL_HOST constexpr int largest_block_like(architecture const& arch, resolved_contract const& contract,
                                                       int threads) {
  return min_of(round_up(threads, arch.warp_size), contract.threads());
}

WARPGUARD_DETAIL_HOST constexpr int resident_blocks(architecture const& arch, kernel_resources const& kernel) {
  return resident_blocks(arch, kernel, default_config, warps_of(arch, kernel.threads_per_block));
}

/// Returns the registers per thread with which the promised minimum is checked; 0 if registers do not limit. Without
/// max_registers they are what the launch bounds enforce in code for `code`. They do not limit where the bounds enforce
/// the promise itself.
WARPGUARD_DETAIL_HOST constexpr int registers_for_minimum(architecture const& arch, resolved_contract const& contract,
                                                          architecture const& code) {
  if (contract.max_registers > 0 || contract.minimum == 0 || contract.min_blocks_bound == 0) {
    return contract.max_registers;
  }
  bool const is_in_blocks = contract.unit >= minimum_unit::blocks;
  bool const is_enforced = contract.blocks_required(arch) <= contract.launch_min_blocks(code);
  if (is_enforced && (is_in_blocks || contract.block_varies == 0)) return 0;
  int const cap = contract.register_cap(code);
  return cap != impossible ? min_of(cap, arch.max_registers_per_thread) : 0;
}

/// Whether blocks of `threads` that take the most reach the promised minimum.
WARPGUARD_DETAIL_HOST constexpr bool reaches_minimum_at(architecture const& arch, resolved_contract const& contract,
                                                        int threads, int registers) {
  kernel_resources kernel = contract.resources(threads);
  kernel.registers_per_thread = registers;
  return resident_blocks(arch, kernel) >= contract.blocks_required(arch, threads);
}

/// Whether blocks of each number of warps from `least` to `most` fill `required` of `slots` warp slots.
WARPGUARD_DETAIL_HOST constexpr bool fill_slots(int slots, int required, int least, int most) {
  for (int warps = least; warps <= most; ++warps) {
    if (slots - slots % warps < required) return false;
  }
  return true;
}

/// Whether blocks of every number of warps reach the promised minimum. In blocks, the largest block decides, because it
/// takes most. In warps, any may be the worst: blocks leave different numbers of warp slots empty. The smallest decides
/// over what limits blocks of all sizes alike.
WARPGUARD_DETAIL_HOST constexpr bool reaches_minimum(architecture const& arch, resolved_contract const& contract,
                                                     int registers) {
  int const largest = contract.threads();
  if (!reaches_minimum_at(arch, contract, largest, registers)) return false;
  if (contract.unit >= minimum_unit::blocks) return true;
  int const least = largest_block_like(arch, contract, contract.least_threads());
  // Registers are allocated for whole blocks on 1.x, and bytes for each thread limit blocks of each size differently.
  if (arch.register_allocation_granularity == granularity::block || contract.dynamic_per_thread > 0) {
    for (int threads = least; threads < largest; threads += arch.warp_size) {
      if (!reaches_minimum_at(arch, contract, threads, registers)) return false;
    }
    return true;
  }
  if (!reaches_minimum_at(arch, contract, least, registers)) return false;
  int const by_registers = registers > 0 ? files_of(arch, registers).warps : arch.max_warps_per_sm;
  return fill_slots(min_of(arch.max_warps_per_sm, by_registers), contract.goal(arch.max_warps_per_sm).warps,
                    warps_of(arch, least), warps_of(arch, largest));
}

/// Returns the promise that a contract breaks whose launches choose the block.
WARPGUARD_DETAIL_HOST constexpr violation first_range_violation(architecture const& arch,
                                                                resolved_contract const& contract,
                                                                architecture const& code) {
  int const least = contract.least_threads();
  int const allowed = contract.blocks_allowed();
  if (contract.blocks_required(arch, least) > allowed) return violation::minimum_exceeds_maximum;
  if (contract.minimum > 0) {
    if (!reaches_minimum(arch, contract, registers_for_minimum(arch, contract, code))) return violation::residency;
    if (contract.min_blocks_bound == 0 && contract.max_registers == 0) return violation::unbounded_registers;
  }
  if (allowed == unlimited) return violation::none;
  return resident_blocks(arch, contract.least_resources(least)) > allowed ? violation::excess : violation::none;
}

/// Returns the contradiction between terms, which no architecture allows.
WARPGUARD_DETAIL_HOST constexpr violation first_contradiction(resolved_contract const& contract) {
  if (contract.block_x == 0) return violation::missing_block;
  if (contract.min_threads > 0) {
    if (contract.block_varies == 0) return violation::fixed_block;
    if (contract.min_threads > contract.threads()) return violation::empty_block_range;
  }
  bool const is_empty = contract.max_registers > 0 && contract.min_registers > contract.max_registers;
  return is_empty ? violation::empty_register_range : violation::none;
}

/// Returns the first rule that is no promise, and sets `blocks` to those of an SM. `kernel` is the most that the
/// contract states.
WARPGUARD_DETAIL_HOST constexpr violation first_broken_limit(architecture const& arch,
                                                             resolved_contract const& contract,
                                                             kernel_resources const& kernel, int& blocks) {
  int const threads = kernel.threads_per_block;
  if (threads == 0 || contract.min_threads > 0 || contract.min_registers > 0) {
    violation const rule = first_contradiction(contract);
    if (rule != violation::none) return rule;
  }
  if (threads > arch.max_threads_per_block) return violation::block_size;
  int const most_registers = arch.max_registers_per_thread;
  if (kernel.registers_per_thread > most_registers || contract.min_registers > most_registers) {
    return violation::registers_per_thread;
  }
  if (kernel.static_shared_memory > arch.max_shared_per_block_default) return violation::static_shared_memory;
  if (kernel.dynamic_shared_memory > arch.max_shared_per_block_optin - kernel.static_shared_memory) {
    return violation::shared_memory;
  }
  int const cluster = contract.cluster_size();
  if (cluster > arch.max_cluster_portable && cluster > max_cluster_blocks(arch)) return violation::cluster;

  int const warps = (threads - 1) / arch.warp_size + 1;
  blocks = resident_blocks(arch, kernel, default_config, warps);
  return blocks == 0 ? violation::register_file : violation::none;
}

}  // namespace detail

/// Returns the first rule that an architecture breaks by what it is: violations other than promises.
WARPGUARD_DETAIL_HOST constexpr violation first_broken_limit(architecture const& arch,
                                                             resolved_contract const& contract) {
  int blocks = 0;
  return detail::first_broken_limit(arch, contract, contract.resources(), blocks);
}

/// Returns the first rule of a contract that an architecture of the table breaks. `kernel` is the most that the
/// contract states. `code`: the architecture that the kernel is compiled for, whose terms these are. The options must
/// make a contract.
WARPGUARD_DETAIL_HOST constexpr violation first_violation(architecture const& arch, resolved_contract const& contract,
                                                          kernel_resources const& kernel, architecture const& code) {
  int blocks = 0;
  violation const limit = detail::first_broken_limit(arch, contract, kernel, blocks);
  if (limit != violation::none) return limit;
  if (contract.block_varies != 0) return detail::first_range_violation(arch, contract, code);
  int const threads = kernel.threads_per_block;
  int const required = contract.blocks_required(arch, threads);
  int const allowed = contract.blocks_allowed();
  if (required > allowed) return violation::minimum_exceeds_maximum;
  if (blocks < required) return violation::residency;
  if (required > 0 && contract.max_registers == 0) {
    if (contract.min_blocks_bound == 0) return violation::unbounded_registers;
    if (arch.compute_capability != code.compute_capability) {
      kernel_resources enforced = kernel;
      enforced.registers_per_thread = detail::registers_for_minimum(arch, contract, code);
      if (detail::resident_blocks(arch, enforced) < required) return violation::residency;
    }
  }
  if (allowed == unlimited) return violation::none;
  if (contract.may_take_less()) {
    blocks = detail::resident_blocks(arch, contract.least_resources(threads));
  }
  return blocks > allowed ? violation::excess : violation::none;
}
/// The same for what the contract states: the most that a block takes.
WARPGUARD_DETAIL_HOST constexpr violation first_violation(architecture const& arch, resolved_contract const& contract,
                                                          architecture const& code) {
  return first_violation(arch, contract, contract.resources(), code);
}
/// The same for code that was compiled for `arch`.
WARPGUARD_DETAIL_HOST constexpr violation first_violation(architecture const& arch, resolved_contract const& contract) {
  return first_violation(arch, contract, contract.resources(), arch);
}

/// The numbers of a violation: what the contract states or reaches, and the limit that this breaks. Both are threads,
/// registers, bytes or blocks, as the rule says.
struct violation_facts {
  long long reached = 0;  ///< what the contract states or reaches
  long long limit = 0;    ///< what is allowed or required
};

namespace detail {

/// How the block sizes that a launch may choose stand a promise. All are in threads.
struct block_range_check {
  int broken_at = 0;     ///< the first size that breaks the promise; 0 if none does
  int blocks = 0;        ///< per SM, reached there
  int limit = 0;         ///< blocks per SM, promised there
  int worst_blocks = 0;  ///< per SM: the fewest of any size for a minimum, the most for a maximum
  int holds_from = 0;    ///< the longest range that keeps minimum and maximum; 0 if no size does
  int holds_to = 0;
};

/// Checks one block size for each number of warps against the promised minimum (violation::residency) or maximum
/// (violation::excess): the largest, which takes most, for the minimum, and the smallest for the maximum.
WARPGUARD_DETAIL_HOST constexpr block_range_check check_block_range(architecture const& arch,
                                                                    resolved_contract const& contract,
                                                                    architecture const& code, violation promise) {
  bool const is_minimum = promise == violation::residency;
  int const registers = registers_for_minimum(arch, contract, code);
  int const allowed = contract.blocks_allowed();
  block_range_check result;
  int from = 0;
  for (int next = contract.least_threads(); next <= contract.threads();) {
    int const smallest = next;
    int const largest = largest_block_like(arch, contract, smallest);
    next = largest + 1;
    kernel_resources most = contract.resources(largest);
    most.registers_per_thread = registers;
    int const fewest = resident_blocks(arch, most);
    int const required = contract.blocks_required(arch, largest);
    int const greatest = resident_blocks(arch, contract.least_resources(smallest));

    int const blocks = is_minimum ? fewest : greatest;
    bool const is_first = smallest == contract.least_threads();
    if (is_first || (is_minimum ? blocks < result.worst_blocks : blocks > result.worst_blocks)) {
      result.worst_blocks = blocks;
    }
    bool const is_broken = is_minimum ? fewest < required : greatest > allowed;
    if (is_broken && result.broken_at == 0) {
      result.broken_at = is_minimum ? largest : smallest;
      result.blocks = blocks;
      result.limit = is_minimum ? required : allowed;
    }
    if (fewest < required || greatest > allowed) {
      from = 0;
      continue;
    }
    if (from == 0) from = is_minimum ? largest : smallest;
    if (result.holds_from == 0 || largest - from > result.holds_to - result.holds_from) {
      result.holds_from = from;
      result.holds_to = largest;
    }
  }
  return result;
}

}  // namespace detail

/// Returns the numbers of a rule that the contract breaks on an architecture; where launches choose the block, those of
/// the first block size that breaks a promise.
WARPGUARD_DETAIL_HOST constexpr violation_facts facts_of(violation rule, architecture const& arch,
                                                         resolved_contract const& contract, architecture const& code) {
  kernel_resources const kernel = contract.resources();
  bool const is_range = contract.block_varies != 0;
  switch (rule) {
    case violation::none: break;
    case violation::missing_block: break;
    case violation::fixed_block: return {contract.min_threads, contract.threads()};
    case violation::empty_block_range: return {contract.min_threads, contract.threads()};
    case violation::empty_register_range: return {contract.min_registers, contract.max_registers};
    case violation::block_size: return {kernel.threads_per_block, arch.max_threads_per_block};
    case violation::registers_per_thread:
      return {detail::max_of(kernel.registers_per_thread, contract.min_registers), arch.max_registers_per_thread};
    case violation::static_shared_memory: return {kernel.static_shared_memory, arch.max_shared_per_block_default};
    case violation::shared_memory:
      return {0LL + kernel.static_shared_memory + kernel.dynamic_shared_memory, arch.max_shared_per_block_optin};
    case violation::cluster: return {contract.cluster_size(), detail::max_cluster_blocks(arch)};
    case violation::register_file:
      return {contract.max_registers, max_registers_per_thread(arch, kernel.threads_per_block, 1)};
    case violation::minimum_exceeds_maximum:
      return {contract.blocks_required(arch, is_range ? contract.least_threads() : contract.threads()),
              contract.blocks_allowed()};
    case violation::unbounded_registers: return {0, contract.blocks_required(arch)};
    case violation::residency:
    case violation::excess: {
      // A fixed block is a range of one size.
      detail::block_range_check const range = detail::check_block_range(arch, contract, code, rule);
      return {range.blocks, range.limit};
    }
  }
  return {};
}
/// The same for code that was compiled for `arch`.
WARPGUARD_DETAIL_HOST constexpr violation_facts facts_of(violation rule, architecture const& arch,
                                                         resolved_contract const& contract) {
  return facts_of(rule, arch, contract, arch);
}

}  // namespace warpguard
