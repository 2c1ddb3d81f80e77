// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Checks what ptxas used for tiled_matmul: each instance of the templates against the contract of its tile.

#include "tiled_matmul.measured.hpp"
#include "tiled_matmul_contract.hpp"

namespace measured = warpguard::measured::tiled_matmul;

static_assert(wg::measured_guarantee<tiled_matmul_contract<16>, measured::tiled_matmul::of_16>);
static_assert(wg::measured_guarantee<tiled_matmul_contract<32>, measured::tiled_matmul::of_32>);
static_assert(wg::measured_guarantee<tiled_matmul_dynamic_contract<16>, measured::tiled_matmul_dynamic::of_16>);
static_assert(wg::measured_guarantee<tiled_matmul_dynamic_contract<32>, measured::tiled_matmul_dynamic::of_32>);

// A rule for every kernel of the target, with or without a contract.
constexpr bool nothing_spills() {
  for (wg::measured_kernel_ref const& kernel : measured::every_kernel{}) {
    for (wg::measurement const& found : kernel) {
      if (found.spilled() > 0) return false;
    }
  }
  return true;
}
static_assert(nothing_spills());
