// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What ptxas reported, as data: the contents of `<target>.measured.hpp`, the header that the CMake function
/// warpguard_measure() writes.

#pragma once

#include "../hardware/host_device.hpp"

namespace warpguard {

/// What ptxas reported for one kernel in one object on one architecture.
struct measurement {
  int compute_capability;    ///< 90 is 9.0
  int registers;             ///< per thread
  int static_shared_memory;  ///< bytes per block
  int spill_stores;          ///< bytes per thread
  int spill_loads;           ///< bytes per thread
  int stack;                 ///< bytes per thread
  int barriers;              ///< per block; -1: this ptxas does not report them
  int constant_memory;       ///< bytes, all banks
  bool bounds_ignored;       ///< ptxas reported that it ignores the kernel's launch bounds

  /// The larger of the bytes spilled and the bytes loaded back.
  constexpr int spilled() const { return spill_stores > spill_loads ? spill_stores : spill_loads; }
};

/// One kernel of a measured header as a value; each instance of a kernel template is a kernel of its own. Iterates over
/// its measurements.
struct measured_kernel_ref {
  char const* name;                 ///< as in the lock: "app::sum(float*)"
  measurement const* measurements;  ///< one for each architecture
  int measurement_count;            ///< how many
  int const* architectures;         ///< the compute capabilities that its objects were compiled for, ascending
  int architecture_count;           ///< how many

  /// The first measurement.
  constexpr measurement const* begin() const { return measurements; }
  /// The end of the measurements.
  constexpr measurement const* end() const { return measurements + measurement_count; }
};

/// FNV-1a with 64 bits.
constexpr unsigned long long hash_of_name(char const* name) {
  unsigned long long hash = 14695981039346656037u;
  for (; *name != 0; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 1099511628211u;
  return hash;
}

/// The index of the kernel with this name, or -1. `hashes` are those of the kernels' names: compilers compare numbers
/// faster than texts.
constexpr int find_kernel(measured_kernel_ref const* kernels, unsigned long long const* hashes, int count,
                          char const* name) {
  unsigned long long const hash = hash_of_name(name);
  for (int i = 0; i < count; ++i) {
    if (hashes[i] == hash && __builtin_strcmp(kernels[i].name, name) == 0) return i;
  }
  return -1;
}

/// The tag of `every_kernel`, the list of a target's kernels in its measured header:
///
///     struct every_kernel {
///       using hana_tag = warpguard::measured_kernels_tag;
///       static constexpr int count = ...;
///       static constexpr measured_kernel_ref values[] = {...};  // one more than `count` where there is no kernel
///       static constexpr unsigned long long hashes[] = {...};   // of the names
///       template <int Index> using at = ...;                    // the type of values[Index]; -1: kernel_not_found
///       static constexpr int find(char const* name);            // its index, or -1
///       static constexpr measured_kernel_ref const* begin();
///       static constexpr measured_kernel_ref const* end();
///     };
struct measured_kernels_tag {};

/// Makes kernels' types a Hana type; see hana.hpp.
struct measured_kernel_tag;

/// The base of every kernel's type in a measured header.
struct measured_kernel {
  using hana_tag = measured_kernel_tag;
};

/// The base of a kernel's type: `Count` kernels of `List` from `First` on. A kernel template has as many as it has
/// instances.
template <class List, int First, int Count = 1>
struct measured_kernel_of : measured_kernel {};

/// The base of a single kernel's type: the members of its measured_kernel_ref, as constants.
template <class List, int First>
struct measured_kernel_of<List, First, 1> : measured_kernel {
  /// As in the lock.
  static constexpr char const* name = List::values[First].name;
  /// One for each architecture.
  static constexpr measurement const* measurements = List::values[First].measurements;
  /// How many measurements there are.
  static constexpr int measurement_count = List::values[First].measurement_count;
  /// The compute capabilities that its objects were compiled for, ascending.
  static constexpr int const* architectures = List::values[First].architectures;
  /// How many architectures there are.
  static constexpr int architecture_count = List::values[First].architecture_count;
};

/// The base of a kernel that a CHECKS file names and that the build does not have.
struct absent_kernel {};

/// The base of a name that several instances or overloads of a kernel want.
struct ambiguous_kernel {};

/// What every_kernel has in place of a kernel whose name no kernel has.
struct kernel_not_found {};

/// The base of every kernel that a CHECKS file names where ptxas reported no kernel at all.
struct absent_report {};

}  // namespace warpguard
