// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a kernel needs and what residency it promises, as a type. The options are in options.hpp; a contract is held
/// against architectures in guarantee.hpp.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/occupancy.hpp"
#include "options.hpp"
#include "targets.hpp"

namespace warpguard {

/// Makes a contract Searchable by kind of option in Hana; see hana.hpp.
struct contract_tag;
/// Makes a list of options a Hana Sequence; see hana.hpp.
struct option_list_tag;

/// Options as a type.
template <class... Option>
struct option_list {
  using hana_tag = option_list_tag;
  static constexpr int count = sizeof...(Option);
};

namespace detail {

/// The base of every contract.
struct contract_base {};

}  // namespace detail

/// A kernel's contract: its options in any order. Derive a named type from it, so that messages name the kernel:
///
///     struct saxpy_contract : wg::contract<wg::threads_per_block<256>, wg::min_occupancy<75>> {};
///
/// Naming a contract checks nothing; `guarantee`, `WARPGUARD_LAUNCH_BOUNDS` and `launch` do.
template <class... Option>
struct contract : detail::contract_base {
  using hana_tag = contract_tag;
  /// The options in the order in which they were written.
  using options = option_list<Option...>;

  /// The options as values, followed by a null pointer.
  static constexpr detail::option_value const* option_values[sizeof...(Option) + 1] = {&detail::value_of<Option>...};

  /// Returns the terms for a compute capability (90 is 9.0); 0 gives those that hold everywhere.
  static constexpr resolved_contract terms_on(int compute_capability) {
    return detail::resolve(option_values, sizeof...(Option), compute_capability);
  }

  /// Threads per block that hold everywhere; an `on` may change them on its architecture.
  static constexpr int threads = detail::resolve(option_values, sizeof...(Option), 0).threads();

  /// The contract on one architecture, in every pass of the compiler: constants for host code, kernels and templates.
  template <class Architecture>
  struct on_sm {
    static constexpr resolved_contract terms = terms_on(Architecture::compute_capability);
    /// The model's answer, with max_registers as the registers per thread; without it registers do not limit.
    static constexpr occupancy residency = occupancy_of(Architecture::limits(), terms.resources());

    static constexpr int threads_per_block = terms.threads();
    static constexpr int static_shared_memory = terms.static_shared_memory;    ///< bytes
    static constexpr int dynamic_shared_memory = terms.dynamic_shared_memory;  ///< bytes
    static constexpr int cluster_size = terms.cluster_size();                  ///< blocks
    static constexpr int blocks_per_sm = residency.blocks_per_sm;
    static constexpr int warps_per_sm = residency.warps_per_sm;
    static constexpr int threads_per_sm = residency.threads_per_sm;
    static constexpr limiter limited_by = residency.limited_by;
    /// The second argument of `__launch_bounds__` in this architecture's pass.
    static constexpr int launch_min_blocks = terms.launch_min_blocks(Architecture::limits());
    /// The most registers per thread that the kernel may use: ptxas's cap under these launch bounds, or max_registers
    /// if that is less.
    static constexpr int max_registers = terms.register_cap(Architecture::limits());
  };
};

}  // namespace warpguard
