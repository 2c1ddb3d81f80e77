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

// ---- A device and the code that it runs -----------------------------------------------------------------------------

template <class Architecture>
struct device_of : Architecture {};
template <class Device, class Code>
struct device_of<device_running<Device, Code>> : Device {};
template <class Architecture>
struct code_of : Architecture {};
template <class Device, class Code>
struct code_of<device_running<Device, Code>> : Code {};

// ---- Violations -----------------------------------------------------------------------------------------------------

/// The most that a block takes, with the registers that the promised minimum is checked with.
WARPGUARD_DETAIL_HOST constexpr kernel_resources enforced_resources(architecture const& arch,
                                                                    resolved_contract const& terms,
                                                                    architecture const& code, int threads) {
  kernel_resources kernel = terms.resources(threads);
  kernel.registers_per_thread = registers_for_minimum(arch, terms, code);
  return kernel;
}
WARPGUARD_DETAIL_HOST constexpr kernel_resources enforced_resources(architecture const& arch,
                                                                    resolved_contract const& terms,
                                                                    architecture const& code) {
  return enforced_resources(arch, terms, code, terms.threads());
}

/// A violation of a contract on an architecture of the table, with everything that its guard states.
template <class Contract, class Architecture>
struct facts_on {
  static constexpr architecture arch = device_of<Architecture>::limits();
  static constexpr architecture code = code_of<Architecture>::limits();
  static constexpr resolved_contract terms =
      Contract::template terms_on<target_list<code.compute_capability>>(code.compute_capability);
  static constexpr violation rule = first_violation(arch, terms, code);
  static constexpr violation_facts numbers = facts_of(rule, arch, terms, code);
  static constexpr kernel_resources kernel =
      rule == violation::excess ? terms.least_resources(terms.threads()) : enforced_resources(arch, terms, code);
  static constexpr int reached = static_cast<int>(numbers.reached < unlimited ? numbers.reached : unlimited);
  static constexpr int limit = static_cast<int>(numbers.limit);
};

/// What limits, and what would be enough, as types.
template <class Facts>
struct change_facts {
  static constexpr fitting_change change = change_that_fits(Facts::rule, Facts::arch, Facts::terms, Facts::code);
  using limited_by = limiter_fact<occupancy_of(Facts::arch, Facts::kernel).limited_by>;
  using fits = change_fact<change.registers_at_most, change.registers_at_least, change.shared_memory_at_most,
                           change.shared_memory_at_least, change.barriers_at_most, change.threads_per_block,
                           change.promise_at_most, change.promise_at_least, change.least_threads, change.most_threads>;
};

/// The block sizes that keep the promise, and the first that does not.
template <class Facts>
struct range_facts {
  static constexpr block_range_check range = check_block_range(Facts::arch, Facts::terms, Facts::code, Facts::rule);
  static constexpr int at = range.broken_at;
  static constexpr resolved_contract terms = with_block(Facts::terms, range.broken_at);
  static constexpr kernel_resources kernel = Facts::rule == violation::excess
                                                 ? terms.least_resources(range.broken_at)
                                                 : enforced_resources(Facts::arch, Facts::terms, Facts::code, at);
  using limited_by = limiter_fact<occupancy_of(Facts::arch, kernel).limited_by>;
  using holds = block_sizes_fact<range.holds_from, range.holds_to>;
};

/// The guards of promises: for a fixed block, and for blocks that launches choose.
template <bool BlockVaries>
struct residency_guards {
  template <class Contract, class Architecture, class Facts>
  using minimum = residency_guard<Contract, Architecture, Facts::reached, Facts::limit,
                                  typename change_facts<Facts>::limited_by, typename change_facts<Facts>::fits>;
  template <class Contract, class Architecture, class Facts>
  using maximum = excess_guard<Contract, Architecture, Facts::reached, Facts::limit,
                               typename change_facts<Facts>::limited_by, typename change_facts<Facts>::fits>;
};
template <>
struct residency_guards<true> {
  template <class Contract, class Architecture, class Facts>
  using minimum = range_residency_guard<Contract, Architecture, range_facts<Facts>::at, Facts::reached, Facts::limit,
                                        typename range_facts<Facts>::limited_by, typename range_facts<Facts>::holds,
                                        typename change_facts<Facts>::fits>;
  template <class Contract, class Architecture, class Facts>
  using maximum = range_excess_guard<Contract, Architecture, range_facts<Facts>::at, Facts::reached, Facts::limit,
                                     typename range_facts<Facts>::limited_by, typename range_facts<Facts>::holds,
                                     typename change_facts<Facts>::fits>;
};

template <violation Rule>
struct guard_of;
template <>
struct guard_of<violation::none> {
  template <class Contract, class Architecture, class Facts>
  using type = no_refusal;
};
template <>
struct guard_of<violation::missing_block> {
  template <class Contract, class Architecture, class Facts>
  using type = missing_block_guard<Contract, Architecture>;
};
template <>
struct guard_of<violation::fixed_block> {
  template <class Contract, class Architecture, class Facts>
  using type = fixed_block_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::empty_block_range> {
  template <class Contract, class Architecture, class Facts>
  using type = empty_block_range_guard<Contract, Architecture, Facts::reached, Facts::limit>;
};
template <>
struct guard_of<violation::empty_register_range> {
  template <class Contract, class Architecture, class Facts>
  using type = empty_register_range_guard<Contract, Architecture, Facts::reached, Facts::limit>;
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
  using type =
      typename residency_guards<(Facts::terms.block_varies != 0)>::template minimum<Contract, Architecture, Facts>;
};
template <>
struct guard_of<violation::unbounded_registers> {
  template <class Contract, class Architecture, class Facts>
  using type = free_registers_guard<Contract, Architecture, Facts::limit, typename change_facts<Facts>::fits>;
};
template <>
struct guard_of<violation::excess> {
  template <class Contract, class Architecture, class Facts>
  using type =
      typename residency_guards<(Facts::terms.block_varies != 0)>::template maximum<Contract, Architecture, Facts>;
};

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

/// What is wrong with `on` and `on_from`: the architecture, that it stands inside another, or an option of its own.
template <class Contract, class Option, bool InsideOn, class Architecture, class... Nested>
WARPGUARD_DETAIL_HOST constexpr auto find_on_faults() {
  constexpr int compute_capability = capability_of<Architecture>;
  if constexpr (compute_capability != 0 && row_index(compute_capability) < 0) {
    return guard_list<architecture_guard<compute_capability>>{};
  } else if constexpr (compute_capability == 0 || InsideOn) {
    return guard_list<on_guard<Contract, Option>>{};
  } else if constexpr (sizeof...(Nested) == 0) {
    return guard_list<empty_on_guard<Contract, Option>>{};
  } else {
    return typename option_faults<Contract, option_list<Nested...>, true>::faults{};
  }
}
template <class Contract, class Architecture, class... Nested, bool InsideOn>
struct invalid_option<Contract, on<Architecture, Nested...>, InsideOn, option_kind::on> {
  using faults = decltype(find_on_faults<Contract, on<Architecture, Nested...>, InsideOn, Architecture, Nested...>());
};
template <class Contract, class Architecture, class... Nested, bool InsideOn>
struct invalid_option<Contract, on_from<Architecture, Nested...>, InsideOn, option_kind::on_from> {
  using faults =
      decltype(find_on_faults<Contract, on_from<Architecture, Nested...>, InsideOn, Architecture, Nested...>());
};

template <class Contract, class Option, bool InsideOn>
struct invalid_option<Contract, Option, InsideOn, option_kind::on_each> {
  using faults = guard_list<on_guard<Contract, Option>>;
};

// Constants, because a function of NVRTC warns that it cannot read the reference `value_of`.
template <class Option>
inline constexpr option_kind kind_of = value_of<Option>.kind;
template <class Option, bool InsideOn>
inline constexpr bool may_stand = is_valid_option(value_of<Option>, InsideOn);
template <class Option>
inline constexpr bool is_dead = is_dead_on(value_of<Option>);

template <class Contract, bool InsideOn, class Option>
WARPGUARD_DETAIL_HOST constexpr auto find_option_faults() {
  if constexpr (kind_of<Option> == option_kind::none) {
    return guard_list<unknown_option_guard<Contract, Option>>{};
  } else if constexpr (may_stand<Option, InsideOn>) {
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
template <class Contract, class First, class Second>
struct colliding_options<Contract, First, Second, option_kind::on_from> {
  using guard = repeated_architecture_guard<Contract, First, Second>;
};
/// If one is fixed and each launch chooses the other, the message says so.
template <class Contract, class First, class Second>
struct amount_twice {
  static constexpr bool is_mixed = varies(First::as_value) != varies(Second::as_value);
  using guard = typename select<is_mixed, fixed_and_chosen_guard<Contract, First, Second>,
                                duplicate_option_guard<Contract, First, Second>>::type;
};
template <class Contract, class First, class Second>
struct colliding_options<Contract, First, Second, option_kind::threads_per_block>
    : amount_twice<Contract, First, Second> {};
template <class Contract, class First, class Second>
struct colliding_options<Contract, First, Second, option_kind::dynamic_shared_memory>
    : amount_twice<Contract, First, Second> {};

template <class Contract, int First, int Second, class... Option>
WARPGUARD_DETAIL_HOST constexpr auto find_collision_faults() {
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
                                        !has_kind(values, count, option_kind::invalid_base) &&
                                        !states_threads(values, count);

 public:
  using faults = decltype((guard_list<>{} + ... + find_option_faults<Contract, InsideOn, Option>()) +
                          find_collision_faults<Contract, pair.first, pair.second, Option...>() +
                          guard_if<lacks_threads, missing_threads_guard<Contract>>{});
};

// ---- What on_each states on one architecture ------------------------------------------------------------------------

template <class Contract, class Each, class Architecture, class Given>
WARPGUARD_DETAIL_HOST constexpr auto find_each_faults() {
  constexpr option_kind kind = kind_of<Given>;
  if constexpr (kind == option_kind::none || is_outer_kind(kind)) {
    return guard_list<each_guard<Contract, Each, Architecture, Given>>{};
  } else {
    return find_option_faults<Contract, true, Given>();
  }
}
template <class Contract, class Architecture, template <class> class OptionOf>
WARPGUARD_DETAIL_HOST constexpr auto find_each_faults(on_each<OptionOf> const*) {
  return find_each_faults<Contract, on_each<OptionOf>, Architecture, OptionOf<Architecture>>();
}

/// The guard of the first fault that the contract's on_each have on an architecture.
template <class Contract, int ComputeCapability, class... Option>
WARPGUARD_DETAIL_HOST constexpr auto find_each_fault_on(option_list<Option...>) {
  constexpr option_pair pair = find_each_fault(Contract::template values_for<target_list<ComputeCapability>>,
                                               sizeof...(Option), ComputeCapability);
  if constexpr (pair.second < 0) {
    return no_refusal{};
  } else {
    using second = typename option_at_index<pair.second, Option...>::type;
    if constexpr (pair.first < 0) {
      return first_guard<decltype(find_each_faults<Contract, sm<ComputeCapability>>(static_cast<second*>(nullptr)))>{};
    } else {
      return repeated_each_guard<Contract, typename option_at_index<pair.first, Option...>::type, second>{};
    }
  }
}
template <class Contract, int ComputeCapability>
using each_fault_on = decltype(find_each_fault_on<Contract, ComputeCapability>(typename Contract::options{}));

// ---- The refusal on one architecture --------------------------------------------------------------------------------

/// A fault of on_each, or else the guard of the first rule that is broken.
template <class EachFault, template <class> class Guard, class Facts>
struct refusal_unless {
  using type = EachFault;
};
template <template <class> class Guard, class Facts>
struct refusal_unless<no_refusal, Guard, Facts> {
  using type = Guard<Facts>;
};

template <class Contract, class Architecture,
          bool IsKnown = (row_index(device_of<Architecture>::compute_capability) >= 0)>
struct violation_guard {
  using each = each_fault_on<Contract, code_of<Architecture>::compute_capability>;
  template <class Facts>
  using guard = typename guard_of<Facts::rule>::template type<Contract, Architecture, Facts>;
  using type = typename refusal_unless<each, guard, facts_on<Contract, Architecture>>::type;
};
template <class Contract, class Architecture>
struct violation_guard<Contract, Architecture, false> {
  using type = architecture_guard<device_of<Architecture>::compute_capability>;
};

/// The guard of the first rule that the contract breaks on an architecture; it holds if there is none.
template <class Contract, class Architecture>
using refusal_on = typename violation_guard<Contract, Architecture>::type;

// ---- Faults of contracts --------------------------------------------------------------------------------------------

/// The `on` of a contract that no build can use.
template <class Contract, class Option>
WARPGUARD_DETAIL_HOST constexpr auto find_dead_on() {
  if constexpr (is_dead<Option>) {
    return guard_list<dead_on_guard<Contract, Option>>{};
  } else {
    return guard_list<>{};
  }
}
template <class Contract, class... Option>
WARPGUARD_DETAIL_HOST constexpr auto find_dead_ons(option_list<Option...>) {
  return decltype((guard_list<>{} + ... + find_dead_on<Contract, Option>())){};
}
template <class Contract>
using dead_ons = decltype(find_dead_ons<Contract>(typename Contract::options{}));

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
