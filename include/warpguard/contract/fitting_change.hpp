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
  int shared_memory_at_most = impossible;   ///< bytes per block, static and dynamic together
  int shared_memory_at_least = impossible;  ///< the same
  int barriers_at_most = impossible;        ///< per block
  int threads_per_block = impossible;       ///< this block size
  int promise_at_most = impossible;         ///< blocks per SM: no change of the resources helps
  int promise_at_least = impossible;        ///< the same
};

namespace detail {

/// Returns the contract with changes of what the kernel takes.
constexpr resolved_contract with_change(resolved_contract terms, fitting_change const& change) {
  int const most = change.shared_memory_at_most;
  int const least = change.shared_memory_at_least;
  int const bytes = least != impossible ? least : most;
  if (bytes != impossible) {
    terms.static_shared_memory = min_of(terms.static_shared_memory, bytes);
    terms.dynamic_shared_memory = bytes - terms.static_shared_memory;
  }
  if (change.registers_at_most != impossible) terms.max_registers = change.registers_at_most;
  if (change.barriers_at_most != impossible) terms.barriers = change.barriers_at_most;
  if (change.threads_per_block != impossible) {
    terms.block_x = change.threads_per_block;
    terms.block_y = 1;
    terms.block_z = 1;
  }
  return terms;
}

/// Returns the bytes with which no more blocks are resident than the contract allows; `impossible` if a block cannot
/// take so many.
constexpr int bytes_that_keep_out(architecture const& arch, resolved_contract const& terms) {
  int const too_few = max_shared_memory(arch, terms.resources(), terms.blocks_allowed() + 1);
  return too_few < arch.max_shared_per_block_optin ? too_few + 1 : impossible;
}

/// Returns the change of resources for a minimum that is missed, whatever else the contract promises.
constexpr fitting_change change_for_minimum(architecture const& arch, resolved_contract const& terms) {
  advice const advised = what_fits(arch, terms.resources(), terms.goal(arch.max_warps_per_sm));
  fitting_change change;
  change.registers_at_most = advised.registers_at_most;
  change.shared_memory_at_most = advised.shared_memory_at_most;
  change.barriers_at_most = advised.barriers_at_most;
  change.threads_per_block = advised.threads_per_block;
  change.promise_at_most = advised.blocks_at_most;
  return change;
}

/// Whether the contract keeps its promises once it also states the registers that it may lack.
constexpr bool keeps_promises(architecture const& arch, resolved_contract terms) {
  if (first_violation(arch, terms) == violation::unbounded_registers) {
    terms.max_registers = max_registers_per_thread(arch, terms.threads(), terms.blocks_required(arch));
  }
  return first_violation(arch, terms) == violation::none;
}

/// Adds shared memory to a change that lets in more blocks than the contract allows. Returns whether the contract's
/// promises are kept then.
constexpr bool keep_out_others(architecture const& arch, resolved_contract const& terms, fitting_change& change) {
  resolved_contract const changed = with_change(terms, change);
  if (keeps_promises(arch, changed)) return true;
  if (change.shared_memory_at_most != impossible) return false;
  change.shared_memory_at_least = bytes_that_keep_out(arch, changed);
  return change.shared_memory_at_least != impossible && keeps_promises(arch, with_change(terms, change));
}

}  // namespace detail

/// Returns what would be enough to keep the rule that a contract breaks on an architecture; nothing for rules whose
/// limit says it.
constexpr fitting_change change_that_fits(violation rule, architecture const& arch, resolved_contract const& terms) {
  violation_facts const facts = facts_of(rule, arch, terms);
  fitting_change change;
  switch (rule) {
    case violation::register_file: change.registers_at_most = static_cast<int>(facts.limit); break;
    case violation::residency:
      change = detail::change_for_minimum(arch, terms);
      if (change.promise_at_most == impossible && !detail::keep_out_others(arch, terms, change)) {
        change = {};
        change.promise_at_most = static_cast<int>(facts.reached);
      }
      break;
    case violation::unbounded_registers:
      change.registers_at_most = max_registers_per_thread(arch, terms.threads(), static_cast<int>(facts.limit));
      if (!detail::keep_out_others(arch, terms, change)) change.shared_memory_at_least = impossible;
      break;
    case violation::excess:
      if (!detail::keep_out_others(arch, terms, change)) {
        change = {};
        change.promise_at_least = static_cast<int>(facts.reached);
      }
      break;
    default: break;
  }
  return change;
}

}  // namespace warpguard
