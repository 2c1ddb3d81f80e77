// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Puts a fault or a violation into words: selects the guard, and the facts that are its arguments. Selecting
/// instantiates no assertion, so that guarantee.hpp can instantiate the guard itself, right at the user's line. Only
/// what is refused gets here.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/occupancy.hpp"
#include "contract.hpp"
#include "detail/contract_faults.hpp"
#include "fitting_change.hpp"
#include "guards.hpp"
#include "refusal_facts.hpp"
#include "targets.hpp"
#include "violation.hpp"

namespace warpguard::detail {

template <bool Condition, class Yes, class No>
struct select {
  using type = Yes;
};
template <class Yes, class No>
struct select<false, Yes, No> {
  using type = No;
};

// ---- Violations -----------------------------------------------------------------------------------------------------

/// A violation of a contract on an architecture of the table, with everything that its guard states.
template <class Contract, class Architecture>
struct facts_on {
  static constexpr architecture arch = Architecture::limits();
  static constexpr resolved_contract terms = Contract::terms_on(Architecture::compute_capability);
  static constexpr violation rule = first_violation(arch, terms);
  static constexpr violation_facts numbers = facts_of(rule, arch, terms);
  static constexpr int reached = static_cast<int>(numbers.reached < unlimited ? numbers.reached : unlimited);
  static constexpr int limit = static_cast<int>(numbers.limit);
};

/// What limits, and what would be enough, as types.
template <class Facts>
struct change_facts {
  static constexpr fitting_change change = change_that_fits(Facts::rule, Facts::arch, Facts::terms);
  using limited_by = limiter_fact<occupancy_of(Facts::arch, Facts::terms.resources()).limited_by>;
  using fits =
      change_fact<change.registers_at_most, change.shared_memory_at_most, change.shared_memory_at_least,
                  change.barriers_at_most, change.threads_per_block, change.promise_at_most, change.promise_at_least>;
};

template <violation Rule>
struct guard_of;
template <>
struct guard_of<violation::none> {
  template <class Contract, class Architecture, class Facts>
  using type = no_refusal;
};
template <>
struct guard_of<violation::block_size> {
  template <class Contract, class Architecture, class Facts>
  using type = block_size_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::registers_per_thread> {
  template <class Contract, class Architecture, class Facts>
  using type = thread_registers_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::static_shared_memory> {
  template <class Contract, class Architecture, class Facts>
  using type = static_shared_memory_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::shared_memory> {
  template <class Contract, class Architecture, class Facts>
  using type = shared_memory_guard<Contract, Architecture, Facts::numbers.reached, Facts::limit>;
};
template <>
struct guard_of<violation::cluster> {
  template <class Contract, class Architecture, class Facts>
  using type = cluster_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::register_file> {
  template <class Contract, class Architecture, class Facts>
  using type = register_file_guard<Contract, Architecture, Facts::terms.threads(), Facts::reached,
                                   typename change_facts<Facts>::fits>;
};
template <>
struct guard_of<violation::minimum_exceeds_maximum> {
  template <class Contract, class Architecture, class Facts>
  using type = contradiction_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::residency> {
  template <class Contract, class Architecture, class Facts>
  using type = residency_guard<Contract, Architecture, Facts::reached, Facts::limit,
                               typename change_facts<Facts>::limited_by, typename change_facts<Facts>::fits>;
};
template <>
struct guard_of<violation::unbounded_registers> {
  template <class Contract, class Architecture, class Facts>
  using type = free_registers_guard<Contract, Architecture, Facts::limit, typename change_facts<Facts>::fits>;
};
template <>
struct guard_of<violation::excess> {
  template <class Contract, class Architecture, class Facts>
  using type = excess_guard<Contract, Architecture, Facts::reached, Facts::limit,
                            typename change_facts<Facts>::limited_by, typename change_facts<Facts>::fits>;
};

template <class Contract, class Architecture, bool IsKnown = (row_index(capability_of<Architecture>) >= 0)>
struct violation_guard {
  using facts = facts_on<Contract, Architecture>;
  using type = typename guard_of<facts::rule>::template type<Contract, Architecture, facts>;
};
template <class Contract, class Architecture>
struct violation_guard<Contract, Architecture, false> {
  using type = architecture_guard<capability_of<Architecture>>;
};

/// The guard of the first rule that the contract breaks on an architecture; it holds if there is none.
template <class Contract, class Architecture>
using refusal_on = typename violation_guard<Contract, Architecture>::type;

// ---- Faults of options ----------------------------------------------------------------------------------------------

/// Finds everything that is wrong with a list of options.
template <class Contract, class Options, bool InsideOn>
struct option_faults;

/// What is wrong with an option that is not valid where it stands.
template <class Contract, class Option, bool InsideOn, option_kind Kind = Option::as_value.kind>
struct invalid_option {
  using faults = guard_list<option_range_guard<Contract, Option, Option::as_value.least, Option::as_value.most>>;
};
template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::threads_per_block> {
  using faults = guard_list<block_shape_guard<Contract, Option>>;
};
template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::also_runs_on> {
  using faults = guard_list<also_runs_on_guard<Contract, Option>>;
};
template <class Contract, int First, int... ComputeCapability>
struct invalid_option<Contract, also_runs_on<sm<First>, sm<ComputeCapability>...>, false, option_kind::also_runs_on> {
  using faults = decltype((guard_if<(row_index(First) < 0), architecture_guard<First>>{} + ... +
                           guard_if<(row_index(ComputeCapability) < 0), architecture_guard<ComputeCapability>>{}));
};
template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::on> {
  using faults = guard_list<on_guard<Contract, Option>>;
};
template <class Contract, int ComputeCapability, class... Option>
struct invalid_option<Contract, on<sm<ComputeCapability>, Option...>, false, option_kind::on> {
  using faults =
      typename select<(row_index(ComputeCapability) >= 0), option_faults<Contract, option_list<Option...>, true>,
                      invalid_option<Contract, on<sm<ComputeCapability>, Option...>, true>>::type::faults;
};
template <class Contract, int ComputeCapability, class... Option>
struct invalid_option<Contract, on<sm<ComputeCapability>, Option...>, true, option_kind::on> {
  using faults = guard_list<
      typename select<(row_index(ComputeCapability) >= 0), on_guard<Contract, on<sm<ComputeCapability>, Option...>>,
                      architecture_guard<ComputeCapability>>::type>;
};

template <class Contract, bool InsideOn, class Option>
constexpr auto find_option_faults() {
  if constexpr (value_of<Option>.kind == option_kind::none) {
    return guard_list<unknown_option_guard<Contract, Option>>{};
  } else if constexpr (is_valid_option(value_of<Option>, InsideOn)) {
    return guard_list<>{};
  } else if constexpr (Option::faults::count > 0) {
    return typename Option::faults{};
  } else {
    return typename invalid_option<Contract, Option, InsideOn>::faults{};
  }
}

template <int Index, class First, class... Option>
struct option_at_index : option_at_index<Index - 1, Option...> {};
template <class First, class... Option>
struct option_at_index<0, First, Option...> {
  using type = First;
};

template <class Contract, class First, class Second, option_kind Kind = First::as_value.kind>
struct colliding_options {
  using guard = duplicate_option_guard<Contract, First, Second>;
};
template <class Contract, class First, class Second>
struct colliding_options<Contract, First, Second, option_kind::minimum_residency> {
  using guard = two_minimums_guard<Contract, First, Second>;
};
template <class Contract, class First, class Second>
struct colliding_options<Contract, First, Second, option_kind::on> {
  using guard = repeated_architecture_guard<Contract, First, Second>;
};

template <class Contract, int First, int Second, class... Option>
constexpr auto find_collision_faults() {
  if constexpr (Second < 0) {
    return guard_list<>{};
  } else {
    return guard_list<typename colliding_options<Contract, typename option_at_index<First, Option...>::type,
                                                 typename option_at_index<Second, Option...>::type>::guard>{};
  }
}

template <class Contract, class... Option, bool InsideOn>
struct option_faults<Contract, option_list<Option...>, InsideOn> {
 private:
  static constexpr int count = sizeof...(Option);
  static constexpr option_value const* values[sizeof...(Option) + 1] = {&value_of<Option>...};
  static constexpr option_pair pair = find_collision(values, count);
  static constexpr bool lacks_threads = !InsideOn && !has_kind(values, count, option_kind::none) &&
                                        !has_kind(values, count, option_kind::threads_per_block);

 public:
  using faults = decltype((guard_list<>{} + ... + find_option_faults<Contract, InsideOn, Option>()) +
                          find_collision_faults<Contract, pair.first, pair.second, Option...>() +
                          guard_if<lacks_threads, missing_threads_guard<Contract>>{});
};

// ---- Faults of contracts --------------------------------------------------------------------------------------------

template <class Contract, contract_fault Fault>
struct faults_of_kind {
  using type = guard_list<>;
};
template <class Contract>
struct faults_of_kind<Contract, contract_fault::not_a_contract> {
  using type = guard_list<contract_guard<Contract>>;
};
template <class Contract>
struct faults_of_kind<Contract, contract_fault::incomplete> {
  using type = guard_list<incomplete_contract_guard<Contract>>;
};
template <class Contract>
struct faults_of_kind<Contract, contract_fault::not_public> {
  using type = guard_list<private_contract_guard<Contract>>;
};
template <class Contract>
struct faults_of_kind<Contract, contract_fault::two_contracts> {
  using type = guard_list<two_contracts_guard<Contract>>;
};
template <class Contract>
struct faults_of_kind<Contract, contract_fault::options> {
  using type = typename option_faults<Contract, typename Contract::options, false>::faults;
};

/// Everything that is wrong with what is known to be no contract, or to have options that make none.
template <class Contract>
using faults_of_contract = typename faults_of_kind<Contract, fault_of<Contract>>::type;

}  // namespace warpguard::detail
