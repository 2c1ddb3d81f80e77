// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A contract made from another one, with some options replaced.

#pragma once

#include "contract.hpp"
#include "detail/contract_faults.hpp"
#include "guard_list.hpp"
#include "guards.hpp"
#include "options.hpp"

namespace warpguard {

namespace detail {

/// What an option states for all architectures: for on_each, what its template gives for the first target of the build.
template <class Option, bool IsEach = value_of<Option>.kind == option_kind::on_each&& build_target_list::count != 0>
inline constexpr option_value const& general_value = value_of<Option>;
template <class Option>
inline constexpr option_value const& general_value<Option, true> =
    *value_on<Option, target_list<first_target<build_target_list>>>.each[0].option;

/// Whether a new option replaces an option of the base. A fixed block also replaces the base's min_threads_per_block.
WARPGUARD_DETAIL_HOST constexpr bool replaces(option_value const& added, option_value const& old) {
  bool const is_stray_minimum =
      old.kind == option_kind::min_threads_per_block && added.kind == option_kind::threads_per_block && !varies(added);
  return collides(added, old) || is_stray_minimum;
}

template <class... Option, class... Added>
WARPGUARD_DETAIL_HOST option_list<Option..., Added...> operator+(option_list<Option...>, option_list<Added...>);

template <bool IsKept, class Option>
struct option_if {
  using type = option_list<Option>;
};
template <class Option>
struct option_if<false, Option> {
  using type = option_list<>;
};

template <class Options>
struct contract_of;
template <class... Option>
struct contract_of<option_list<Option...>> {
  using type = contract<Option...>;
};

/// Stands in the options for a base that is not a contract, so that the contract is refused for it.
template <class Base>
struct faulty_base : option {
  static constexpr option_value as_value{option_kind::invalid_base};
  using faults = guard_list<contract_guard<Base>>;
};

template <class Options, class... Added>
struct replaced_options;
template <class... Option, class... Added>
struct replaced_options<option_list<Option...>, Added...> {
  template <class Old>
  static constexpr bool is_kept = !(... || replaces(general_value<Added>, general_value<Old>));
  using type = typename contract_of<decltype(
      (option_list<>{} + ... + typename option_if<is_kept<Option>, Option>::type{}) + option_list<Added...>{})>::type;
};

template <class Base, bool IsContract, class... Added>
struct contract_from_base : replaced_options<option_list<faulty_base<Base>>, Added...> {};
template <class Base, class... Added>
struct contract_from_base<Base, true, Added...> : replaced_options<typename Base::options, Added...> {};

}  // namespace detail

/// The options of the contract `Base`, of which those of the same kind as an `Option` are replaced by it; other options
/// are added. `on` and `on_from` for one architecture are one kind; `on_each` is of the kind of the option that it
/// gives for the first target of the build. What `Base` states for one architecture by `on` or `on_from` stays:
///
///     struct small_contract : wg::contract_from<scale_contract, wg::threads_per_block<64>> {};
template <class Base, class... Option>
struct contract_from : detail::contract_from_base<Base, detail::is_contract<Base>::value, Option...>::type {};

}  // namespace warpguard
