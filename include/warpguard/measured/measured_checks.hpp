// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The pairs of contract and kernel that a program names in measured_guarantee, as a list that it has when it starts.
/// warpguard_measure() links CHECKS to a program that prints this list, because the lock and the reports need what the
/// contracts say.

#pragma once

#include "../contract/contract.hpp"
#include "measured_violation.hpp"
#include "measurement.hpp"

namespace warpguard::detail {

/// A contract, and the kernels that must keep it.
struct measured_check {
  char const* (*contract_name)();  ///< mangled; null where the file was compiled without RTTI
  bool (*limits_on)(int compute_capability, measured_limits& limits);  ///< false: unknown compute capability
  option_value const* const* options;                                  ///< of the contract
  int option_count;
  measured_kernel_ref const* kernels;
  int kernel_count;
  measured_check const* next;
};

/// The list's head. Each check adds itself before main().
inline measured_check const* measured_checks = nullptr;

inline bool add_to_measured_checks(measured_check& check) {
  check.next = measured_checks;
  measured_checks = &check;
  return true;
}

}  // namespace warpguard::detail
