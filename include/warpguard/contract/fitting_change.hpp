// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What would be enough to keep a contract: the `Fits` of a refusal, as a value. A change that would break another
/// promise of the same contract is no advice, so each is tried before it is given.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../model/advice.hpp"
#include "../model/capacity.hpp"
#include "../model/kernel_resources.hpp"
#include "options.hpp"
#include "violation.hpp"

namespace warpguard {

/// Changes that are enough together if everything else stays as it is; `impossible` for what need not or cannot change.
struct fitting_change {
  int registers_at_most = impossible;       ///< per thread
  int registers_at_least = impossible;      ///< per thread: as min_registers, which only measuring can check
  int shared_memory_at_most = impossible;   ///< bytes per block, static and dynamic together
  int shared_memory_at_least = impossible;  ///< the same
  int barriers_at_most = impossible;        ///< per block
  int threads_per_block = impossible;       ///< this block size
  int promise_at_most = impossible;         ///< blocks per SM: no change of the resources helps
  int promise_at_least = impossible;        ///< the same
  int least_threads = impossible;           ///< only blocks of so many threads,
  int most_threads = impossible;            ///< up to so many
};

namespace detail {

/// Returns the contract with changes of what the kernel takes.
WARPGUARD_DETAIL_HOST constexpr resolved_contract with_change(resolved_contract terms, fitting_change const& change) {
  int const most = change.shared_memory_at_most;
  int const least = change.shared_memory_at_least;
  int const bytes = least != impossible ? least : most;
  if (bytes != impossible) {
    terms.static_shared_memory = min_of(terms.static_shared_memory, bytes);
    terms.dynamic_shared_memory = bytes - terms.static_shared_memory;
    terms.dynamic_per_thread = 0;
  }
  if (change.registers_at_most != impossible) terms.max_registers = change.registers_at_most;
  if (change.registers_at_least != impossible) terms.min_registers = change.registers_at_least;
  if (change.barriers_at_most != impossible) terms.barriers = change.barriers_at_most;
  if (change.threads_per_block != impossible) {
    terms.block_x = change.threads_per_block;
    terms.block_y = 1;
    terms.block_z = 1;
  }
  if (change.least_threads != impossible) {
    terms.min_threads = change.least_threads;
    terms.block_x = change.most_threads;
  }
  if (change.promise_at_most != impossible) {
    terms.minimum = change.promise_at_most;
    if (terms.unit != minimum_unit::exact_blocks) terms.unit = minimum_unit::blocks;
  }
  return terms;
}

/// Returns the bytes with which no more blocks are resident than the contract allows; `impossible` if a block cannot
/// take so many.
WARPGUARD_DETAIL_HOST constexpr int bytes_that_keep_out(architecture const& arch, resolved_contract const& terms) {
  kernel_resources const least = terms.least_resources(terms.threads());
  int const too_few = max_shared_bytes(arch, least, terms.blocks_allowed() + 1);
  return too_few < arch.max_shared_per_block_optin ? too_few + 1 : impossible;
}

/// The same for registers per thread.
WARPGUARD_DETAIL_HOST constexpr int registers_that_keep_out(architecture const& arch, resolved_contract const& terms) {
  int const too_few = max_registers_per_thread(arch, terms.threads(), terms.blocks_allowed() + 1);
  int const most = terms.max_registers > 0 ? terms.max_registers : arch.max_registers_per_thread;
  return too_few < most ? max_of(too_few, 0) + 1 : impossible;
}

/// Returns the change of resources for a minimum that is missed, whatever else the contract promises.
WARPGUARD_DETAIL_HOST constexpr fitting_change change_for_minimum(architecture const& arch,
                                                                  resolved_contract const& terms) {
  advice const advised = what_fits(arch, terms.resources(), terms.goal(arch.max_warps_per_sm));
  fitting_change change;
  change.registers_at_most = advised.registers_at_most;
  change.shared_memory_at_most = advised.shared_memory_at_most;
  change.barriers_at_most = advised.barriers_at_most;
  change.threads_per_block = advised.threads_per_block;
  change.promise_at_most = advised.blocks_at_most;
  return change;
}

/// Returns the most registers per thread with which blocks of every size reach the promised minimum.
WARPGUARD_DETAIL_HOST constexpr int registers_for_every_block(architecture const& arch,
                                                              resolved_contract const& terms) {
  int registers = arch.max_registers_per_thread;
  for (int next = terms.least_threads(); next <= terms.threads();) {
    int const threads = largest_block_like(arch, terms, next);
    registers = min_of(registers, max_registers_per_thread(arch, threads, terms.blocks_required(arch, threads)));
    next = threads + 1;
  }
  return registers;
}

/// Whether the contract keeps its promises once it also states the registers that it may lack.
WARPGUARD_DETAIL_HOST constexpr bool keeps_promises(architecture const& arch, resolved_contract terms) {
  if (first_violation(arch, terms) == violation::unbounded_registers) {
    terms.max_registers = registers_for_every_block(arch, terms);
  }
  return first_violation(arch, terms) == violation::none;
}

/// Adds shared memory to a change that lets in more blocks than the contract allows, or else registers. Returns whether
/// the contract's promises are kept then; if not, the change stays as it was.
WARPGUARD_DETAIL_HOST constexpr bool keep_out_others(architecture const& arch, resolved_contract const& terms,
                                                     fitting_change& change) {
  resolved_contract const changed = with_change(terms, change);
  if (keeps_promises(arch, changed)) return true;
  if (changed.blocks_allowed() == unlimited) return false;  // there are no blocks to keep out
  if (change.shared_memory_at_most == impossible) {
    change.shared_memory_at_least = bytes_that_keep_out(arch, changed);
    if (change.shared_memory_at_least != impossible && keeps_promises(arch, with_change(terms, change))) return true;
    change.shared_memory_at_least = impossible;
  }
  change.registers_at_least = registers_that_keep_out(arch, changed);
  if (change.registers_at_least != impossible && keeps_promises(arch, with_change(terms, change))) return true;
  change.registers_at_least = impossible;
  return false;
}

/// Returns what keeps out the blocks that a contract does not allow: more registers where it states max_registers, and
/// so relies on them, or else more shared memory.
WARPGUARD_DETAIL_HOST constexpr fitting_change change_for_maximum(architecture const& arch,
                                                                  resolved_contract const& terms) {
  fitting_change change;
  if (terms.max_registers > 0) {
    change.registers_at_least = registers_that_keep_out(arch, terms);
    if (change.registers_at_least != impossible && keeps_promises(arch, with_change(terms, change))) return change;
    change.registers_at_least = impossible;
  }
  if (keep_out_others(arch, terms, change)) return change;
  change.promise_at_least = resident_blocks(arch, terms.least_resources(terms.threads()));
  return change;
}

/// Returns the contract with the fixed block size `threads`.
WARPGUARD_DETAIL_HOST constexpr resolved_contract with_block(resolved_contract terms, int threads) {
  terms.block_x = threads;
  terms.block_varies = 0;
  terms.min_threads = 0;
  return terms;
}

using change_member = int fitting_change::*;
inline constexpr change_member at_most_members[] = {
    &fitting_change::registers_at_most, &fitting_change::shared_memory_at_most, &fitting_change::barriers_at_most};
inline constexpr change_member at_least_members[] = {&fitting_change::registers_at_least,
                                                     &fitting_change::shared_memory_at_least};

/// Combines two changes: each number becomes the stricter one.
WARPGUARD_DETAIL_HOST constexpr fitting_change stricter(fitting_change first, fitting_change const& other) {
  for (change_member const member : at_most_members) {
    if (first.*member == impossible || (other.*member != impossible && other.*member < first.*member)) {
      first.*member = other.*member;
    }
  }
  for (change_member const member : at_least_members) first.*member = max_of(first.*member, other.*member);
  return first;
}

/// Returns the change with which every block size keeps the promises, where launches choose the block. If there is
/// none, the sizes that keep them as they are; and if there are none of these, a smaller promise.
WARPGUARD_DETAIL_HOST constexpr fitting_change change_for_range(violation rule, architecture const& arch,
                                                                resolved_contract const& terms,
                                                                architecture const& code) {
  fitting_change change;
  block_range_check const now = check_block_range(arch, terms, code, rule);
  block_range_check range = now;
  // Each round mends one block size at least.
  for (int round = 0; round < 64 && range.broken_at > 0; ++round) {
    resolved_contract fixed = with_block(with_change(terms, change), range.broken_at);
    if (fixed.max_registers == 0) fixed.max_registers = registers_for_minimum(arch, terms, code);
    fitting_change const next =
        rule == violation::residency ? change_for_minimum(arch, fixed) : change_for_maximum(arch, fixed);
    bool const changes_block = next.threads_per_block != impossible;
    if (changes_block || next.promise_at_most != impossible || next.promise_at_least != impossible) break;
    change = stricter(change, next);
    range = check_block_range(arch, with_change(terms, change), code, rule);
  }
  if (range.broken_at == 0 && first_violation(arch, with_change(terms, change), code) == violation::none) return change;

  if (now.holds_from > 0) {
    change = {};
    change.least_threads = now.holds_from;
    change.most_threads = now.holds_to;
    // The launch bounds of a smaller block may allow more registers, with which the promise does not hold.
    if (rule == violation::residency && first_violation(arch, with_change(terms, change), code) == rule) {
      change.registers_at_most = registers_for_every_block(arch, with_change(terms, change));
    }
    if (first_violation(arch, with_change(terms, change), code) == violation::none) return change;
  }
  change = {};
  (rule == violation::residency ? change.promise_at_most : change.promise_at_least) = now.worst_blocks;
  return change;
}

}  // namespace detail

/// Returns what would be enough to keep the rule that a contract breaks on an architecture; nothing for rules whose
/// limit says it. `code`: the architecture that the kernel is compiled for.
WARPGUARD_DETAIL_HOST constexpr fitting_change change_that_fits(violation rule, architecture const& arch,
                                                                resolved_contract terms, architecture const& code) {
  if (terms.block_varies != 0 && (rule == violation::residency || rule == violation::excess)) {
    return detail::change_for_range(rule, arch, terms, code);
  }
  violation_facts const facts = facts_of(rule, arch, terms, code);
  fitting_change change;
  if (rule == violation::residency) terms.max_registers = detail::registers_for_minimum(arch, terms, code);
  switch (rule) {
    case violation::register_file: change.registers_at_most = static_cast<int>(facts.limit); break;
    case violation::residency:
      change = detail::change_for_minimum(arch, terms);
      if (detail::keep_out_others(arch, terms, change)) break;
      change = {};
      change.promise_at_most = static_cast<int>(facts.reached);
      detail::keep_out_others(arch, terms, change);
      break;
    case violation::unbounded_registers:
      change.registers_at_most = detail::registers_for_every_block(arch, terms);
      detail::keep_out_others(arch, terms, change);
      break;
    case violation::excess: change = detail::change_for_maximum(arch, terms); break;
    default: break;
  }
  return change;
}
/// The same for code that was compiled for `arch`.
WARPGUARD_DETAIL_HOST constexpr fitting_change change_that_fits(violation rule, architecture const& arch,
                                                                resolved_contract const& terms) {
  return change_that_fits(rule, arch, terms, arch);
}

}  // namespace warpguard
