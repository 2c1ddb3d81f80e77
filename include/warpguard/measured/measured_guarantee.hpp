// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The check of a contract against what ptxas really used: measured_guarantee. Which kernels break it is decided over
/// values; types are instantiated for what is refused.

#pragma once

#include "../contract/contract.hpp"
#include "../contract/fitting_change.hpp"
#include "../contract/guarantee.hpp"
#include "../contract/guards.hpp"
#include "../contract/options.hpp"
#include "../contract/refusal_facts.hpp"
#include "../contract/targets.hpp"
#include "../hardware/table.hpp"
#include "../model/occupancy.hpp"
#include "measured_checks.hpp"
#include "measured_guards.hpp"
#include "measured_violation.hpp"
#include "measurement.hpp"

#if defined(__cpp_rtti) || defined(__GXX_RTTI)
#define WARPGUARD_DETAIL_HAS_RTTI
#include <typeinfo>
#endif

namespace warpguard {

namespace detail {

/// What a contract requires of a measured kernel on an architecture. Without max_registers, the launch bounds limit the
/// registers.
constexpr measured_limits measured_limits_of(architecture const& arch, resolved_contract const& terms) {
  int registers = terms.max_registers;
  if (registers == 0) {
    registers = terms.launch_min_blocks(arch) > 0 ? terms.register_cap(arch) : arch.max_registers_per_thread;
  }
  measured_limits limits;
  limits.terms = terms;
  limits.registers_allowed = registers;
  limits.blocks_required = terms.blocks_required(arch);
  return limits;
}

// ---- which kernels break a contract, as values ----------------------------------------------------------------------

/// Whether a kernel is checked on an architecture: on the targets, and on all that its objects were compiled for.
constexpr bool is_checked_on(measured_kernel_ref const& kernel, int compute_capability) {
  for (int i = 0; i < kernel.architecture_count; ++i) {
    if (kernel.architectures[i] == compute_capability) return true;
  }
  return build_target_list::contains(compute_capability);
}

/// A kernel of a list, and an architecture on which it breaks the contract.
struct broken_kernel {
  int index;
  int compute_capability;
};
/// The first of them in detail, and how many there are. One kernel has no more than `capacity`.
struct broken_kernels {
  static constexpr int capacity = 64;
  int count = 0;
  broken_kernel first[capacity] = {};

  constexpr void add(broken_kernel const& one) {
    if (count < capacity) first[count] = one;
    ++count;
  }

  constexpr broken_kernels with(broken_kernels const& more) const {
    broken_kernels both = *this;
    for (int i = 0; count + i < capacity && i < more.count; ++i) both.first[count + i] = more.first[i];
    both.count += more.count;
    return both;
  }
};

/// The targets, and all architectures that kernels `first` to `last - 1` were compiled for.
constexpr read_targets find_architectures(measured_kernel_ref const* kernels, int first, int last) {
  read_targets all = build_targets;
  for (int i = first; i < last; ++i) {
    for (int j = 0; j < kernels[i].architecture_count; ++j) all.insert(kernels[i].architectures[j]);
  }
  return all;
}

/// The same as a type. Only a contract with on_each needs it.
template <class List, int First, int Last, class Positions>
struct targets_of_kernels;
template <class List, int First, int Last, int... Position>
struct targets_of_kernels<List, First, Last, positions<Position...>> {
  static constexpr read_targets all = find_architectures(List::values, First, Last);
  using type = target_list<all.compute_capability[Position]...>;
};
template <class Contract, class List, int First, int Last, bool HasEach = Contract::has_each>
struct architectures_of_terms {
  using type = build_target_list;
};
template <class Contract, class List, int First, int Last>
struct architectures_of_terms<Contract, List, First, Last, true>
    : targets_of_kernels<List, First, Last,
                         typename count_to<find_architectures(List::values, First, Last).count>::type> {};

/// Which of the kernels `first` to `last - 1` break the contract.
template <class Contract, class Architectures = build_target_list>
constexpr broken_kernels find_broken_kernels(measured_kernel_ref const* kernels, int first, int last) {
  read_targets const all = find_architectures(kernels, first, last);
  broken_kernels broken;
  for (int on = 0; on < all.count; ++on) {
    int const compute_capability = all.compute_capability[on];
    int const row = row_index(compute_capability);
    measured_limits const limits =
        row < 0
            ? measured_limits{}
            : measured_limits_of(*architectures[row], Contract::template terms_on<Architectures>(compute_capability));
    for (int i = first; i < last; ++i) {
      if (!is_checked_on(kernels[i], compute_capability)) continue;
      if (row < 0 ||
          first_violating_measurement(*architectures[row], limits, kernels[i]).rule != measured_violation::none) {
        broken.add({i, compute_capability});
      }
    }
  }
  return broken;
}

// Compilers limit the steps of one constant expression, so one looks at a few kernels only. A variable is evaluated
// once.
template <class Contract, class List, int First, int Last, bool IsFew = (Last - First <= 16)>
inline constexpr broken_kernels broken_among =
    find_broken_kernels<Contract, typename architectures_of_terms<Contract, List, First, Last>::type>(List::values,
                                                                                                      First, Last);
template <class Contract, class List, int First, int Last>
inline constexpr broken_kernels broken_among<Contract, List, First, Last, false> =
    broken_among<Contract, List, First, First + (Last - First) / 2>.with(
        broken_among<Contract, List, First + (Last - First) / 2, Last>);

// ---- the refusals, as types -----------------------------------------------------------------------------------------
//
// These functions are never called: they only choose the type of a guard, and assert nothing themselves. So the guard's
// holds() is instantiated by measured_guarantee itself, and the compiler names the user's line next.

template <class List, int First, int Count>
constexpr measured_kernel_ref kernel_value(measured_kernel_of<List, First, Count> const*) {
  return List::values[First];
}

/// Returns what would let a measured kernel keep the promised minimum; where launches choose the block, the block sizes
/// that do.
constexpr fitting_change change_for_measured(architecture const& arch, resolved_contract const& measured,
                                             block_range_check const& range) {
  if (measured.block_varies == 0) return change_for_minimum(arch, measured);
  fitting_change change;
  if (range.holds_from > 0) {
    change.least_threads = range.holds_from;
    change.most_threads = range.holds_to;
  } else {
    change.promise_at_most = range.worst_blocks;
  }
  return change;
}

/// The guard for what a kernel, no template, breaks on one architecture.
template <class Contract, class Kernel, int ComputeCapability>
constexpr auto measured_refusal_on() {
  using on = sm<ComputeCapability>;
  constexpr int row = row_index(ComputeCapability);
  if constexpr (row < 0) {
    return architecture_guard<ComputeCapability>{};
  } else {
    constexpr architecture arch = *architectures[row];
    constexpr resolved_contract terms = Contract::template terms_on<target_list<ComputeCapability>>(ComputeCapability);
    constexpr measured_limits limits = measured_limits_of(arch, terms);
    constexpr measured_kernel_ref kernel = kernel_value(static_cast<Kernel*>(nullptr));
    constexpr violating_measurement violating = first_violating_measurement(arch, limits, kernel);
    using rule = measured_violation;
    if constexpr (violating.rule == rule::none) {
      return no_refusal{};
    } else if constexpr (violating.rule == rule::missing) {
      return measurement_guard<Contract, Kernel, on>{};
    } else {
      constexpr measurement found = kernel.measurements[violating.index];
      if constexpr (violating.rule == rule::bounds_ignored) {
        return ignored_bounds_guard<Contract, Kernel, on>{};
      } else if constexpr (violating.rule == rule::registers) {
        return measured_registers_guard<Contract, Kernel, on, found.registers, limits.registers_allowed>{};
      } else if constexpr (violating.rule == rule::few_registers) {
        return measured_few_registers_guard<Contract, Kernel, on, found.registers, terms.min_registers>{};
      } else if constexpr (violating.rule == rule::spills) {
        return spill_guard<Contract, Kernel, on, found.spilled(), terms.spill_budget>{};
      } else if constexpr (violating.rule == rule::static_shared_memory) {
        return measured_shared_memory_guard<Contract, Kernel, on, found.static_shared_memory,
                                            terms.static_shared_memory>{};
      } else if constexpr (violating.rule == rule::barriers) {
        return measured_barriers_guard<Contract, Kernel, on, found.barriers, terms.barriers>{};
      } else if constexpr (violating.rule == rule::residency) {
        constexpr resolved_contract measured = measured_terms(limits, found);
        constexpr block_range_check range = check_block_range(arch, measured, arch, violation::residency);
        constexpr limiter limited = occupancy_of(arch, measured.resources(range.broken_at)).limited_by;
        constexpr fitting_change fits = change_for_measured(arch, measured, range);
        return measured_residency_guard<
            Contract, Kernel, on, found.registers, range.blocks, range.limit, limiter_fact<limited>,
            change_fact<fits.registers_at_most, impossible, fits.shared_memory_at_most, impossible,
                        fits.barriers_at_most, fits.threads_per_block, fits.promise_at_most, impossible,
                        fits.least_threads, fits.most_threads>>{};
      } else {
        constexpr resolved_contract measured = measured_terms(limits, found);
        constexpr block_range_check range = check_block_range(arch, measured, arch, violation::excess);
        constexpr limiter limited = occupancy_of(arch, measured.least_resources(range.broken_at)).limited_by;
        return measured_excess_guard<Contract, Kernel, on, found.registers, range.blocks, range.limit,
                                     limiter_fact<limited>>{};
      }
    }
  }
}

template <class Contract, class List, int First, int Last, int Number>
constexpr auto refusal_number() {
  constexpr broken_kernel broken = broken_among<Contract, List, First, Last>.first[Number];
  return measured_refusal_on<Contract, typename List::template at<broken.index>, broken.compute_capability>();
}

/// The guards for everything that kernels First to Last - 1 of a list break.
template <class Contract, class List, int First, int Last, class Numbers>
struct all_measured_refusals;
template <class Contract, class List, int First, int Last, int... Number>
struct all_measured_refusals<Contract, List, First, Last, positions<Number...>> {
  static constexpr bool holds() {
    return (... && decltype(refusal_number<Contract, List, First, Last, Number>())::holds());
  }
};
/// The same where there are too many of them for one list.
template <class Left, class Right>
struct both_measured_refusals {
  static constexpr bool holds() { return Left::holds() && Right::holds(); }
};

template <class Contract, class List, int First, int Last>
constexpr auto choose_measured_refusals() {
  constexpr int count = broken_among<Contract, List, First, Last>.count;
  if constexpr (count == 0) {
    return no_refusal{};
  } else if constexpr (count <= broken_kernels::capacity) {
    return all_measured_refusals<Contract, List, First, Last, typename count_to<count>::type>{};
  } else {
    constexpr int middle = First + (Last - First) / 2;
    return both_measured_refusals<decltype(choose_measured_refusals<Contract, List, First, middle>()),
                                  decltype(choose_measured_refusals<Contract, List, middle, Last>())>{};
  }
}

/// What a check of a contract against a kernel refuses: the first thing, whose guard the check can call itself, and
/// everything, the first thing included.
template <class First, class All>
struct measured_refusal_pair {
  using first = First;
  using all = All;
};

template <class Contract, class List, int First, int Count>
constexpr auto refusals_of(measured_kernel_of<List, First, Count> const*) {
  constexpr int last = First + Count;
  if constexpr (broken_among<Contract, List, First, last>.count == 0) {
    return measured_refusal_pair<no_refusal, no_refusal>{};
  } else {
    return measured_refusal_pair<decltype(refusal_number<Contract, List, First, last, 0>()),
                                 decltype(choose_measured_refusals<Contract, List, First, last>())>{};
  }
}

template <class Contract, class Kernel>
constexpr auto choose_measured_refusals() {
  if constexpr (has_fault<Contract>) {
    return measured_refusal_pair<no_refusal, no_refusal>{};  // measured_guarantee refuses the contract
  } else if constexpr (__is_base_of(absent_report, Kernel)) {
    return measured_refusal_pair<empty_report_guard<Contract, Kernel>, no_refusal>{};
  } else if constexpr (__is_base_of(absent_kernel, Kernel)) {
    return measured_refusal_pair<vanished_kernel_guard<Contract, Kernel>, no_refusal>{};
  } else if constexpr (__is_base_of(ambiguous_kernel, Kernel)) {
    return measured_refusal_pair<ambiguous_kernel_guard<Contract, Kernel>, no_refusal>{};
  } else if constexpr (__is_base_of(kernel_not_found, Kernel)) {
    return measured_refusal_pair<kernel_text_guard<Contract, Kernel>, no_refusal>{};
  } else if constexpr (!__is_base_of(measured_kernel, Kernel)) {
    return measured_refusal_pair<measured_kernel_guard<Contract, Kernel>, no_refusal>{};
  } else {
    return refusals_of<Contract>(static_cast<Kernel*>(nullptr));
  }
}

template <class Contract, class Kernel>
using measured_refusals = decltype(choose_measured_refusals<Contract, Kernel>());

// ---- the list of checks ---------------------------------------------------------------------------------------------

#if defined(WARPGUARD_DETAIL_HAS_RTTI)
template <class Contract>
char const* mangled_name() {
  return typeid(Contract).name();
}
#endif

template <class Contract, class Architectures>
bool limits_on(int compute_capability, measured_limits& limits) {
  architecture const* const arch = find_architecture(compute_capability);
  if (arch == nullptr) return false;
  limits = measured_limits_of(*arch, Contract::template terms_on<Architectures>(compute_capability));
  return true;
}

template <class Contract, class List, int First, int Count>
struct registered_check {
  static measured_check check;
  static bool const is_added;
};
template <class Contract, class List, int First, int Count>
measured_check registered_check<Contract, List, First, Count>::check = {
#if defined(WARPGUARD_DETAIL_HAS_RTTI)
    &mangled_name<Contract>,
#else
    nullptr,
#endif
    &limits_on<Contract, typename architectures_of_terms<Contract, List, First, First + Count>::type>,
    Contract::template values_for<build_target_list>,
    Contract::options::count,
    List::values + First,
    Count,
    nullptr};
#undef WARPGUARD_DETAIL_HAS_RTTI
template <class Contract, class List, int First, int Count>
bool const registered_check<Contract, List, First, Count>::is_added =
    add_to_measured_checks(registered_check<Contract, List, First, Count>::check);

/// Needs the variable's address, so that it is there, and is initialised before main().
constexpr bool force_registration(bool const*) { return true; }

template <class Contract, class List, int First, int Count>
constexpr bool register_check(measured_kernel_of<List, First, Count> const*) {
  return force_registration(&registered_check<Contract, List, First, Count>::is_added);
}

/// Adds a check that refuses nothing to the list. Always true.
template <class Contract, class Kernel>
constexpr bool register_check() {
  if constexpr (!has_fault<Contract> && __is_base_of(measured_kernel, Kernel)) {
    return register_check<Contract>(static_cast<Kernel*>(nullptr));
  } else {
    return true;
  }
}

}  // namespace detail

/// Naming it holds the contract against what ptxas used, on every architecture that the kernel was compiled for and
/// every target, for every instance of a kernel template:
///
///     static_assert(wg::measured_guarantee<saxpy_contract, wg::measured::saxpy::saxpy>);
///
/// A single instance by its name in the lock:
///
///     using kernels = wg::measured::gemm::every_kernel;
///     static_assert(wg::measured_guarantee<tile_contract, kernels::at<kernels::find("tile<float>(float*)")>>);
///
/// True if it compiles; one build lists every instance and architecture that fails.
template <class Contract, class Kernel>
inline constexpr bool measured_guarantee =
    guarantee<Contract, typename detail::refused_for<detail::has_fault<Contract>
                                                         ? detail::check_result::fault
                                                         : detail::check_result::kept>::template as_a_whole<Contract>>&&
    detail::measured_refusals<Contract, Kernel>::first::holds() &&
    detail::measured_refusals<Contract, Kernel>::all::holds() && detail::register_check<Contract, Kernel>();

/// Launches a function under a contract; see launch/kernel.cuh.
template <class Contract, auto Function>
struct kernel;

/// The same with the contract of a named kernel:
///
///     static_assert(wg::measured_guarantee<decltype(saxpy_kernel), wg::measured::saxpy::saxpy>);
template <class Contract, auto Function, class Kernel>
inline constexpr bool measured_guarantee<kernel<Contract, Function>, Kernel> = measured_guarantee<Contract, Kernel>;
/// The same for `decltype` of a constant.
template <class Contract, auto Function, class Kernel>
inline constexpr bool measured_guarantee<kernel<Contract, Function> const, Kernel> =
    measured_guarantee<Contract, Kernel>;

}  // namespace warpguard
