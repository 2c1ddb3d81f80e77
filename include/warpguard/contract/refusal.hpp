// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Puts a fault or a violation into words: selects the guard, and the facts that are its arguments. Selecting
/// instantiates no assertion, so that guarantee.hpp can instantiate the guard itself, right at the user's line. Only
/// what is refused gets here.

#pragma once

#include "../hardware/architecture.hpp"
#include "../model/advice.hpp"
#include "../model/capacity.hpp"
#include "../model/occupancy.hpp"
#include "contract.hpp"
#include "detail/contract_faults.hpp"
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

template <class Facts>
struct residency_facts {
  static constexpr occupancy now = occupancy_of(Facts::arch, Facts::terms.resources());
  static constexpr advice advised =
      what_fits(Facts::arch, Facts::terms.resources(), Facts::terms.goal(Facts::arch.max_warps_per_sm));
  using limited_by = limiter_fact<now.limited_by>;
  using fits = advice_fact<advised.registers_at_most, advised.shared_memory_at_most, advised.barriers_at_most,
                           advised.threads_per_block, advised.blocks_at_most>;
};

/// With how many bytes a kernel that exceeds its maximum would keep it.
template <class Facts, int TooFewBytes>
using less_residency = typename select<(TooFewBytes < Facts::arch.max_shared_per_block_optin),
                                       shared_memory_at_least<TooFewBytes + 1>, promise_at_least<Facts::reached>>::type;

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
                                   registers_at_most<Facts::limit>>;
};
template <>
struct guard_of<violation::unbounded_registers> {
  template <class Contract, class Architecture, class Facts>
  using type = free_registers_guard<
      Contract, Architecture, Facts::limit,
      registers_at_most<max_registers_per_thread(Facts::arch, Facts::terms.threads(), Facts::limit)>>;
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
                               typename residency_facts<Facts>::limited_by, typename residency_facts<Facts>::fits>;
};
template <>
struct guard_of<violation::excess> {
  template <class Contract, class Architecture, class Facts>
  using type =
      excess_guard<Contract, Architecture, Facts::reached, Facts::limit, typename residency_facts<Facts>::limited_by,
                   less_residency<Facts, max_shared_memory(Facts::arch, Facts::terms.resources(), Facts::limit + 1)>>;
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

/// Instantiates the guards of all faults in a list of options.
template <class Contract, class Options = typename Contract::options, bool InsideOn = false>
struct option_refusals;

/// The guard of an option that is an option, but not valid.
template <class Contract, class Option, bool InsideOn, option_kind Kind = Option::as_value.kind>
struct invalid_option {
  using guard = option_range_guard<Contract, Option, Option::as_value.least, Option::as_value.most>;
};
template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::threads_per_block> {
  using guard = block_shape_guard<Contract, Option>;
};
template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::also_runs_on> {
  using guard = also_runs_on_guard<Contract, Option>;
};
template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::on> {
  using guard = on_guard<Contract, Option>;
};
template <class Contract, int ComputeCapability, class... Option>
struct invalid_option<Contract, on<sm<ComputeCapability>, Option...>, false, option_kind::on> {
  using guard =
      typename select<(row_index(ComputeCapability) >= 0), option_refusals<Contract, option_list<Option...>, true>,
                      architecture_guard<ComputeCapability>>::type;
};

template <class Contract, bool InsideOn, class Option>
constexpr auto find_option_guard() {
  if constexpr (value_of<Option>.kind == option_kind::none) {
    return unknown_option_guard<Contract, Option>{};
  } else if constexpr (is_valid_option(value_of<Option>, InsideOn)) {
    return no_refusal{};
  } else {
    return typename invalid_option<Contract, Option, InsideOn>::guard{};
  }
}

template <int Index, class First, class... Option>
struct option_at : option_at<Index - 1, Option...> {};
template <class First, class... Option>
struct option_at<0, First, Option...> {
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

template <class Contract, class... Option, bool InsideOn>
struct option_refusals<Contract, option_list<Option...>, InsideOn> {
  static constexpr bool holds() {
    (decltype(find_option_guard<Contract, InsideOn, Option>())::holds(), ...);
    constexpr option_value const* values[sizeof...(Option) + 1] = {&value_of<Option>...};
    constexpr option_pair pair = find_collision(values, sizeof...(Option));
    if constexpr (pair.second >= 0) {
      colliding_options<Contract, typename option_at<pair.first, Option...>::type,
                        typename option_at<pair.second, Option...>::type>::guard::holds();
    }
    constexpr bool all_known = !has_kind(values, sizeof...(Option), option_kind::none);
    if constexpr (!InsideOn && all_known && !has_kind(values, sizeof...(Option), option_kind::threads_per_block)) {
      missing_threads_guard<Contract>::holds();
    }
    return true;
  }
};

// ---- Faults of contracts --------------------------------------------------------------------------------------------

template <class Contract, contract_fault Fault>
struct fault_guard {
  using type = no_refusal;
};
template <class Contract>
struct fault_guard<Contract, contract_fault::not_a_contract> {
  using type = contract_guard<Contract>;
};
template <class Contract>
struct fault_guard<Contract, contract_fault::incomplete> {
  using type = incomplete_contract_guard<Contract>;
};
template <class Contract>
struct fault_guard<Contract, contract_fault::not_public> {
  using type = private_contract_guard<Contract>;
};
template <class Contract>
struct fault_guard<Contract, contract_fault::two_contracts> {
  using type = two_contracts_guard<Contract>;
};
template <class Contract>
struct fault_guard<Contract, contract_fault::options> {
  using type = option_refusals<Contract>;
};

}  // namespace warpguard::detail
