// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A contract on one architecture: `saxpy_contract::on_sm<wg::sm<90>>`.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/occupancy.hpp"
#include "contract.hpp"
#include "guarantee.hpp"
#include "options.hpp"
#include "refusal.hpp"
#include "targets.hpp"

namespace warpguard {

/// A contract on one architecture, as constants for host code, kernels and templates: write
/// `saxpy_contract::on_sm<wg::sm<90>>`. Refused for options that make no contract, and for an architecture that the
/// table lacks.
template <class Contract, class Architecture>
struct contract_on {
  static_assert(detail::no_faults<Contract>);
  static_assert(detail::each_fault_on<Contract, Architecture::compute_capability>::holds());

  /// The options that hold on the architecture.
  static constexpr resolved_contract terms =
      Contract::template terms_on<target_list<Architecture::compute_capability>>(Architecture::compute_capability);
  /// The model's answer for the largest block and the most shared memory, with max_registers as the registers per
  /// thread; without it registers do not limit.
  static constexpr occupancy residency = occupancy_of(Architecture::limits(), terms.resources());

  static constexpr int threads_per_block = terms.threads();                           ///< of the largest block
  static constexpr int static_shared_memory = terms.static_shared_memory;             ///< bytes
  static constexpr int dynamic_shared_memory = terms.dynamic_bytes(terms.threads());  ///< bytes, the most
  static constexpr int cluster_size = terms.cluster_size();                           ///< blocks
  static constexpr int blocks_per_sm = residency.blocks_per_sm;                       ///< resident blocks
  static constexpr int warps_per_sm = residency.warps_per_sm;                         ///< resident warps
  static constexpr int threads_per_sm = residency.threads_per_sm;                     ///< resident threads
  static constexpr limiter limited_by = residency.limited_by;                         ///< what limits the blocks
  /// The second argument of `__launch_bounds__` in this architecture's pass.
  static constexpr int launch_min_blocks = terms.launch_min_blocks(Architecture::limits());
  /// The most registers per thread that the kernel may use: ptxas's cap under these launch bounds, or max_registers
  /// if that is less.
  static constexpr int max_registers = terms.register_cap(Architecture::limits());
};

}  // namespace warpguard
