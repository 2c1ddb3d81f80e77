// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The words of the refusals: each guard is one rule, and its template arguments are the facts that a compiler prints.
/// Each message ends in its anchor: the name of the guard without `_guard`, in brackets. docs/errors.md explains every
/// message under this id. Which guard is instantiated is decided in refusal.hpp.
///
/// A static member function makes each assertion, not the class: only then do g++ and nvcc print the names of the
/// arguments, and does clang go on to the next architecture. It returns true, so that the compiler reports nothing
/// else.

#pragma once

#include "guard_list.hpp"

namespace warpguard {

namespace detail {

// clang prints the condition of an assertion with these names in it.
template <int Value>
inline constexpr int reached = Value;
template <int Value>
inline constexpr int required = Value;
template <int Value>
inline constexpr int wanted = Value;
template <int Value>
inline constexpr int allowed = Value;

}  // namespace detail

// ---- What is not a contract, whatever the architecture --------------------------------------------------------------

/// Refused: a type that is not derived from `contract<...>`.
template <class Type>
struct contract_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Type>,
                  "warpguard: this type is not a contract: derive it from contract<...> [contract]");
    return true;
  }
};

/// Refused: a type that is only declared.
template <class Contract>
struct incomplete_contract_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>,
                  "warpguard: the contract is incomplete here: define it before it is used [incomplete_contract]");
    return true;
  }
};

/// Refused: a class whose base is private or protected.
template <class Contract>
struct private_contract_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>, "warpguard: derive from contract<...> publicly [private_contract]");
    return true;
  }
};

/// Refused: a type with two bases that are contracts.
template <class Contract>
struct two_contracts_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>, "warpguard: the type derives from two contracts [two_contracts]");
    return true;
  }
};

/// Refused: an argument of `contract` or `on` that is not an option.
template <class Contract, class Option>
struct unknown_option_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>, "warpguard: a contract has no such option [unknown_option]");
    return true;
  }
};

/// Refused: a value that no architecture accepts.
template <class Contract, class Option, int Least, int Most>
struct option_range_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(Least <= Option::value && Option::value <= Most,
                  "warpguard: an option of the contract is out of range [option_range]");
    return true;
  }
};

/// Refused: a block of no threads, of more than 1024, or too long in one dimension.
template <class Contract, class Option>
struct block_shape_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: a block has 1 to 1024 threads, and at most 1024 x 1024 x 64 of them [block_shape]");
    return true;
  }
};

/// Refused: two options of one kind.
template <class Contract, class Option, class OtherOption>
struct duplicate_option_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>, "warpguard: a contract states an option twice [duplicate_option]");
    return true;
  }
};

/// Refused: threads_per_block beside max_threads_per_block, and dynamic_shared_memory beside max_dynamic_shared_memory.
template <class Contract, class Option, class OtherOption>
struct fixed_and_chosen_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: an amount is fixed, or each launch chooses it: a contract states one of the two "
                  "[fixed_and_chosen]");
    return true;
  }
};

/// Refused: two on_each that state an option of one kind.
template <class Contract, class Option, class OtherOption>
struct repeated_each_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: two on_each<> of a contract state the same option [repeated_each]");
    return true;
  }
};

/// Refused: two of min_occupancy, min_warps_per_sm, min_blocks_per_sm and exactly_blocks_per_sm.
template <class Contract, class Option, class OtherOption>
struct two_minimums_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>, "warpguard: a contract promises one minimum, not two [two_minimums]");
    return true;
  }
};

/// Refused: two `on<...>`, or two `on_from<...>`, for one architecture.
template <class Contract, class Option, class OtherOption>
struct repeated_architecture_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: a contract has one on<> for each architecture, not two [repeated_architecture]");
    return true;
  }
};

/// Refused: `on<Type, ...>` whose first argument is not `sm<...>`, and `on` inside `on`. The same for `on_from`, and
/// for `on_each` inside either.
template <class Contract, class Option>
struct on_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: on<> takes an architecture, such as sm<90>, and options other than on<> [on]");
    return true;
  }
};

/// Refused: `on<sm<90>>` without options.
template <class Contract, class Option>
struct empty_on_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>, "warpguard: on<> states no option for its architecture [empty_on]");
    return true;
  }
};

/// Refused: an `on` that no build can use, because no compiler has code for 1.x any more. `sm<12>` is 1.2; 12.0 is
/// `sm<120>`.
template <class Contract, class Option>
struct dead_on_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: on<> names an architecture that no build can target (12.0 is sm<120>) [dead_on]");
    return true;
  }
};

/// Refused: an on_each whose template gives something else than an option for an architecture.
template <class Contract, class Option, class Architecture, class Given>
struct each_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::always_false<Given>,
        "warpguard: on_each<> takes a template that gives an option for each architecture, other than on<> [each]");
    return true;
  }
};

/// Refused: `also_runs_on<...>` inside an `on`, or without architectures.
template <class Contract, class Option>
struct also_runs_on_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Option>,
                  "warpguard: also_runs_on<> takes architectures, and stands outside of on<> [also_runs_on]");
    return true;
  }
};

/// Refused: a contract without threads_per_block.
template <class Contract>
struct missing_threads_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>, "warpguard: a contract needs threads_per_block [missing_threads]");
    return true;
  }
};

/// Refused: a contract that states threads_per_block for other architectures only.
template <class Contract, class Architecture>
struct missing_block_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>,
                  "warpguard: the contract states no threads per block for this architecture [missing_block]");
    return true;
  }
};

/// Refused: min_threads_per_block beside threads_per_block.
template <class Contract, class Architecture, int MinThreads, int ThreadsPerBlock>
struct fixed_block_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::always_false<Contract>,
        "warpguard: min_threads_per_block needs max_threads_per_block: this block size is fixed [fixed_block]");
    return true;
  }
};

/// Refused: min_threads_per_block above max_threads_per_block.
template <class Contract, class Architecture, int MinThreads, int MaxThreads>
struct empty_block_range_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(MinThreads <= MaxThreads,
                  "warpguard: min_threads_per_block exceeds max_threads_per_block [empty_block_range]");
    return true;
  }
};

/// Refused: min_registers above max_registers.
template <class Contract, class Architecture, int MinRegisters, int MaxRegisters>
struct empty_register_range_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(MinRegisters <= MaxRegisters,
                  "warpguard: min_registers exceeds max_registers [empty_register_range]");
    return true;
  }
};

// ---- What an architecture does not allow ----------------------------------------------------------------------------

/// Refused: more threads than a block of the architecture may have (512 on 1.x).
template <class Contract, class Architecture, int ThreadsWanted, int ThreadsAllowed>
struct block_size_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::wanted<ThreadsWanted> <= detail::allowed<ThreadsAllowed>,
                  "warpguard: the block has more threads than the architecture allows [block_size]");
    return true;
  }
};

/// Refused: more registers than a thread of the architecture can have (124 on 1.x, 63 on 2.x and 3.0).
template <class Contract, class Architecture, int RegistersWanted, int RegistersAllowed>
struct thread_registers_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::wanted<RegistersWanted> <= detail::allowed<RegistersAllowed>,
                  "warpguard: max_registers is more than a thread of the architecture can have [thread_registers]");
    return true;
  }
};

/// Refused: more `__shared__` memory than ptxas accepts for the architecture (16 KiB on 1.x).
template <class Contract, class Architecture, int BytesWanted, int BytesAllowed>
struct static_shared_memory_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::wanted<BytesWanted> <= detail::allowed<BytesAllowed>,
        "warpguard: static shared memory exceeds what a block of the architecture can have [static_shared_memory]");
    return true;
  }
};

/// Refused: more shared memory, static and dynamic together, than a block of the architecture can opt in to.
template <class Contract, class Architecture, long long BytesWanted, int BytesAllowed>
struct shared_memory_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        BytesWanted <= detail::allowed<BytesAllowed>,
        "warpguard: shared memory exceeds what a block of the architecture can have, even with opt-in [shared_memory]");
    return true;
  }
};

/// Refused: a larger cluster than the architecture allows; before 9.0 there are none.
template <class Contract, class Architecture, int BlocksWanted, int BlocksAllowed>
struct cluster_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::wanted<BlocksWanted> <= detail::allowed<BlocksAllowed>,
                  "warpguard: the cluster is larger than the architecture allows [cluster]");
    return true;
  }
};

/// Refused: a block whose registers the architecture does not have.
template <class Contract, class Architecture, int ThreadsPerBlock, int RegistersPerThread, class Fits>
struct register_file_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>,
                  "warpguard: the register file is too small for one block of the contract [register_file]");
    return true;
  }
};

// ---- What the contract promises -------------------------------------------------------------------------------------

/// Refused: a minimum with no_min_blocks_bound and without max_registers.
template <class Contract, class Architecture, int BlocksRequired, class Fits>
struct free_registers_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>,
                  "warpguard: a minimum with no_min_blocks_bound needs max_registers [free_registers]");
    return true;
  }
};

/// Refused: a promised minimum that is more than the promised maximum.
template <class Contract, class Architecture, int BlocksRequired, int BlocksAllowed>
struct contradiction_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::required<BlocksRequired> <= detail::allowed<BlocksAllowed>,
                  "warpguard: the contract's minimum exceeds its maximum [contradiction]");
    return true;
  }
};

/// Refused: fewer resident blocks than the contract promises.
template <class Contract, class Architecture, int BlocksReached, int BlocksRequired, class LimitedBy, class Fits>
struct residency_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> >= detail::required<BlocksRequired>,
                  "warpguard: the contract's minimum residency is out of reach [residency]");
    return true;
  }
};

/// Refused: more resident blocks than the contract allows.
template <class Contract, class Architecture, int BlocksReached, int BlocksAllowed, class LimitedBy, class Fits>
struct excess_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> <= detail::allowed<BlocksAllowed>,
                  "warpguard: the contract's maximum residency is exceeded [excess]");
    return true;
  }
};

/// Refused: a promised minimum that does not hold for every block that a launch may choose. The first that breaks it
/// has `AtThreads` threads.
template <class Contract, class Architecture, int AtThreads, int BlocksReached, int BlocksRequired, class LimitedBy,
          class HoldsFor, class Fits>
struct range_residency_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::reached<BlocksReached> >= detail::required<BlocksRequired>,
        "warpguard: a block that a launch may choose misses the contract's minimum residency [range_residency]");
    return true;
  }
};

/// Refused: a promised maximum that does not hold for every block that a launch may choose.
template <class Contract, class Architecture, int AtThreads, int BlocksReached, int BlocksAllowed, class LimitedBy,
          class HoldsFor, class Fits>
struct range_excess_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::reached<BlocksReached> <= detail::allowed<BlocksAllowed>,
        "warpguard: a block that a launch may choose exceeds the contract's maximum residency [range_excess]");
    return true;
  }
};

// ---- What the build lacks -------------------------------------------------------------------------------------------

/// Refused: a contract that would be checked against nothing.
template <class Contract>
struct no_targets_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(detail::always_false<Contract>,
                  "warpguard: no target architecture is known: define WARPGUARD_TARGETS=750,900 or use guarantee_on "
                  "[no_targets]");
    return true;
  }
};

/// Refused: `guarantee<Contract, sm<90>>`, which would check nothing.
template <class Contract, class Argument>
struct guarantee_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::always_false<Argument>,
        "warpguard: guarantee<> takes a contract alone: to name architectures, use guarantee_on<> [guarantee]");
    return true;
  }
};

/// Refused: code for an architecture that the contract is not checked for (clang before 22 with an incomplete
/// WARPGUARD_TARGETS).
template <class Contract, class Architecture>
struct device_pass_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        detail::always_false<Architecture>,
        "warpguard: this build compiles for an architecture that WARPGUARD_TARGETS does not list [device_pass]");
    return true;
  }
};

}  // namespace warpguard
