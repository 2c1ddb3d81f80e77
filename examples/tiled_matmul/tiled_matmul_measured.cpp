// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// tiled_matmul as ptxas compiled it: each instance of the templates is held to the contract of its tile.

#include "tiled_matmul.measured.hpp"
#include "tiled_matmul_contract.hpp"

namespace measured = warpguard::measured::tiled_matmul;

static_assert(wg::measured_guarantee<tiled_matmul_contract<16>, measured::tiled_matmul::of_16>);
static_assert(wg::measured_guarantee<tiled_matmul_contract<32>, measured::tiled_matmul::of_32>);
static_assert(wg::measured_guarantee<tiled_matmul_dynamic_contract<16>, measured::tiled_matmul_dynamic::of_16>);
static_assert(wg::measured_guarantee<tiled_matmul_dynamic_contract<32>, measured::tiled_matmul_dynamic::of_32>);

// A rule for every kernel of the target, whether it has a contract or not.
template <class Kernel>
constexpr bool spills() {
  for (wg::measurement const& found : Kernel::measurements) {
    if (found.spilled() > 0) return true;
  }
  return false;
}
template <class... Kernel>
constexpr bool nothing_spills(boost::hana::tuple<Kernel...>) {
  return (... && !spills<Kernel>());
}
static_assert(nothing_spills(measured::every_kernel{}));
