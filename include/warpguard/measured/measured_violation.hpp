// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which rule of a contract a measurement breaks: a decision over values. measured_guarantee.hpp makes refusals of it,
/// the lock and the reports of warpguard_measure() make text of it.

#pragma once

#include "../contract/resolved_contract.hpp"
#include "../contract/violation.hpp"
#include "../hardware/architecture.hpp"
#include "measurement.hpp"

namespace warpguard {

/// What a contract requires of a measured kernel on one architecture.
struct measured_limits {
  resolved_contract terms;    ///< the contract on the architecture
  int registers_allowed = 0;  ///< at most, per thread
  int blocks_required = 0;    ///< at least, of the largest block, per SM
};

/// The rules that a measurement can break, in the order in which they are checked.
enum class measured_violation {
  none,                  ///< the contract is kept
  missing,               ///< the kernel was not measured on this architecture
  bounds_ignored,        ///< ptxas ignored the launch bounds
  registers,             ///< more than the contract allows
  few_registers,         ///< fewer than min_registers
  spills,                ///< more bytes than spill_budget
  static_shared_memory,  ///< more bytes than the contract states
  barriers,              ///< more than the contract states
  residency,             ///< fewer blocks per SM than promised
  excess,                ///< more blocks per SM than allowed
};

/// A violation in the words of the reports; the refusals say the same.
constexpr char const* words_of(measured_violation rule) {
  switch (rule) {
    case measured_violation::none: return "kept";
    case measured_violation::missing: return "no measurement";
    case measured_violation::bounds_ignored: return "launch bounds ignored";
    case measured_violation::registers: return "too many registers";
    case measured_violation::few_registers: return "fewer registers than stated";
    case measured_violation::spills: return "spills";
    case measured_violation::static_shared_memory: return "too much static shared memory";
    case measured_violation::barriers: return "too many barriers";
    case measured_violation::residency: return "minimum residency missed";
    case measured_violation::excess: return "maximum residency exceeded";
  }
  return "";
}

/// The contract's terms with the measured amounts in the place of its bounds.
constexpr resolved_contract measured_terms(measured_limits const& limits, measurement const& found) {
  resolved_contract terms = limits.terms;
  terms.max_registers = found.registers;
  terms.min_registers = found.registers;
  terms.static_shared_memory = found.static_shared_memory;
  if (found.barriers >= 0) terms.barriers = found.barriers;
  return terms;
}

/// The first promise that a measurement on `arch` breaks; none if it keeps all.
constexpr violation first_broken_promise(architecture const& arch, resolved_contract const& measured) {
  bool const misses = detail::check_block_range(arch, measured, arch, violation::residency).broken_at != 0;
  if (misses) return violation::residency;
  bool const exceeds = detail::check_block_range(arch, measured, arch, violation::excess).broken_at != 0;
  return exceeds ? violation::excess : violation::none;
}

/// The first rule that a measurement on `arch` breaks.
constexpr measured_violation first_measured_violation(architecture const& arch, measured_limits const& limits,
                                                      measurement const& found) {
  if (found.bounds_ignored) return measured_violation::bounds_ignored;
  if (found.registers > limits.registers_allowed) return measured_violation::registers;
  if (found.registers < limits.terms.min_registers) return measured_violation::few_registers;
  if (found.spilled() > limits.terms.spill_budget) return measured_violation::spills;
  if (found.static_shared_memory > limits.terms.static_shared_memory) return measured_violation::static_shared_memory;
  if (found.barriers > limits.terms.barriers) return measured_violation::barriers;
  switch (first_broken_promise(arch, measured_terms(limits, found))) {
    case violation::residency: return measured_violation::residency;
    case violation::excess: return measured_violation::excess;
    default: return measured_violation::none;
  }
}

/// A measurement of a kernel, and the rule that it breaks.
struct violating_measurement {
  measured_violation rule = measured_violation::missing;  ///< the first that it breaks
  int index = -1;  ///< among the kernel's measurements; -1: none is on this architecture
};

/// The first of a kernel's measurements on `arch` that breaks a rule; where none does, the last of them.
constexpr violating_measurement first_violating_measurement(architecture const& arch, measured_limits const& limits,
                                                            measured_kernel_ref const& kernel) {
  violating_measurement result;
  for (int i = 0; i < kernel.measurement_count; ++i) {
    measurement const& found = kernel.measurements[i];
    if (found.compute_capability != arch.compute_capability) continue;
    result = {first_measured_violation(arch, limits, found), i};
    if (result.rule != measured_violation::none) return result;
  }
  return result;
}

}  // namespace warpguard
