// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a kernel needs and what residency it promises, as a type. The options are in options.hpp; a contract is held
/// against architectures in guarantee.hpp.

#pragma once

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
  static constexpr int count = sizeof...(Option);  ///< options
};

template <class Contract, class Architecture>
struct contract_on;

namespace detail {

/// The base of every contract.
struct contract_base {};

/// The values of a contract's options for a list of architectures. The same for all lists, unless there is an on_each.
template <class Contract, class Options, class Architectures, bool HasEach>
inline constexpr option_value const* const* values_in_list = Contract::option_values;
template <class Architectures, class... Option>
inline constexpr option_value const* values_with_each[sizeof...(Option) + 1] = {&value_on<Option, Architectures>...};
template <class Contract, class... Option, class Architectures>
inline constexpr option_value const* const* values_in_list<Contract, option_list<Option...>, Architectures, true> =
    values_with_each<Architectures, Option...>;

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

  /// The options as values, followed by a null pointer. on_each states nothing here.
  static constexpr detail::option_value const* option_values[sizeof...(Option) + 1] = {&detail::value_of<Option>...};
  /// Whether an option is a function of the architecture.
  static constexpr bool has_each = detail::has_kind(option_values, sizeof...(Option), option_kind::on_each);

  /// The same for a list of architectures. Other architectures than these lack what on_each states.
  template <class Architectures>
  static constexpr detail::option_value const* const* values_for =
      detail::values_in_list<contract, options, Architectures, has_each>;

  /// Returns the terms for a compute capability (90 is 9.0) of a list of architectures; 0 gives those that hold
  /// everywhere.
  template <class Architectures = build_target_list>
  WARPGUARD_DETAIL_HOST static constexpr resolved_contract terms_on(int compute_capability) {
    return detail::resolve(values_for<Architectures>, sizeof...(Option), compute_capability);
  }

  /// Threads per block that hold everywhere; an `on` may change them on its architecture. The most, if launches choose
  /// the block.
  static constexpr int threads = detail::resolve(option_values, sizeof...(Option), 0).threads();

  /// The contract on one architecture, in every pass of the compiler: constants for host code, kernels and templates.
  template <class Architecture>
  using on_sm = contract_on<contract, Architecture>;
};

}  // namespace warpguard
