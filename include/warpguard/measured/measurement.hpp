// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What ptxas reported, as data: what the types in `<target>.measured.hpp`, which the CMake function
/// warpguard_measure() writes, are made of.

#pragma once

namespace warpguard {

/// What ptxas reported for one kernel in one object on one architecture.
struct measurement {
  int compute_capability;    ///< 90 is 9.0
  int registers;             ///< per thread
  int static_shared_memory;  ///< bytes per block
  int spill_stores;          ///< bytes per thread
  int spill_loads;           ///< bytes per thread
  int stack;                 ///< bytes per thread
  int barriers;              ///< per block; -1: this ptxas does not say
  int constant_memory;       ///< bytes, all banks
  bool bounds_ignored;       ///< ptxas said that it ignores the kernel's launch bounds

  /// The larger of the bytes spilled and the bytes loaded back.
  constexpr int spilled() const { return spill_stores > spill_loads ? spill_stores : spill_loads; }
};

/// The base of the types in a measured header.
struct measured_kernel {};

/// The base of a kernel that a CHECKS file or the lock names and that the build does not have.
struct absent_kernel {};

/// The base of every kernel that is named while ptxas reported no kernel at all.
struct absent_report {};

}  // namespace warpguard
