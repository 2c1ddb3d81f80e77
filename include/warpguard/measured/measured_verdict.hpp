// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which of a contract's rules a measurement breaks, over values: measured.hpp makes refusals of it, the reports words.

#pragma once

#include "../hardware/table.hpp"
#include "../model/kernel_resources.hpp"
#include "measurement.hpp"
#include "../model/occupancy.hpp"
#include "../contract/contract_terms.hpp"

namespace warpguard::detail {

/// The first rule that a measurement breaks, in the order in which they are looked at.
enum class measured_verdict {
  kept,
  missing,
  bounds_ignored,
  registers,
  spills,
  static_shared_memory,
  barriers,
  residency,
  excess,
};

/// The rule in words, for reports; the refusals say the same.
constexpr char const* words_of(measured_verdict verdict) {
  switch (verdict) {
    case measured_verdict::kept: return "kept";
    case measured_verdict::missing: return "no measurement";
    case measured_verdict::bounds_ignored: return "launch bounds ignored";
    case measured_verdict::registers: return "too many registers";
    case measured_verdict::spills: return "spills";
    case measured_verdict::static_shared_memory: return "static shared memory differs";
    case measured_verdict::barriers: return "too many barriers";
    case measured_verdict::residency: return "minimum residency missed";
    case measured_verdict::excess: return "maximum residency exceeded";
  }
  return "";
}

/// What the contract says, with the amounts that were measured.
constexpr kernel_resources measured_resources(contract_terms const& terms, measurement const& found) {
  return {terms.threads(), found.registers, found.static_shared_memory, terms.dynamic_shared_memory,
          found.barriers >= 0 ? found.barriers : terms.barriers};
}

/// The most registers that a contract allows on an architecture; without max_registers what its launch bounds leave.
constexpr int registers_allowed(architecture const& arch, contract_terms const& terms) {
  if (terms.max_registers > 0) return terms.max_registers;
  return terms.launch_min_blocks(arch) > 0 ? register_cap(arch, terms) : arch.max_registers_per_thread;
}

constexpr measured_verdict judge_measured(architecture const& arch, contract_terms const& terms,
                                          measurement const& found) {
  if (found.bounds_ignored) return measured_verdict::bounds_ignored;
  if (found.registers > registers_allowed(arch, terms)) return measured_verdict::registers;
  if (found.spilled() > terms.spill_budget) return measured_verdict::spills;
  if (found.static_shared_memory != terms.static_shared_memory) return measured_verdict::static_shared_memory;
  if (found.barriers > terms.barriers) return measured_verdict::barriers;
  int const blocks = occupancy_of(arch, measured_resources(terms, found)).blocks_per_sm;
  if (blocks < terms.blocks_required(arch)) return measured_verdict::residency;
  if (blocks > terms.blocks_allowed()) return measured_verdict::excess;
  return measured_verdict::kept;
}

/// The first measurement on an architecture that breaks a rule, or else the first on it, or else -1.
constexpr int telling_measurement(architecture const& arch, contract_terms const& terms, measurement const* all,
                                  int count) {
  int telling = -1;
  for (int i = 0; i < count; ++i) {
    measurement const& found = all[i];
    if (found.compute_capability != arch.compute_capability) continue;
    if (judge_measured(arch, terms, found) != measured_verdict::kept) return i;
    if (telling < 0) telling = i;
  }
  return telling;
}

}  // namespace warpguard::detail
