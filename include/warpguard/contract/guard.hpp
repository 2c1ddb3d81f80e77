// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The refusals: a contract that an architecture cannot keep does not compile. Each rule is one guard class template
/// whose arguments are the facts; docs/errors.md explains every message. What makes a contract a contract, whatever the
/// architecture, is in detail/option_rules.hpp; which rule is broken is decided over values in detail/verdict.hpp.

#pragma once

#include "../model/advice.hpp"
#include "../model/capacity.hpp"
#include "contract.hpp"
#include "facts.hpp"
#include "option_rules.hpp"
#include "verdict.hpp"
#include "detail/weakest.hpp"
#include "targets.hpp"

#include <type_traits>

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

// A static member function, not the class itself, makes each assertion: so g++ and nvcc print the names of the
// arguments and clang goes on to the next architecture. It returns true, so that nothing else is reported.

/// Refused: fewer resident blocks than the contract promises.
template <class Contract, class Architecture, int BlocksReached, int BlocksRequired, class LimitedBy, class Fits>
struct residency_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> >= detail::required<BlocksRequired>,
                  "warpguard: the contract's minimum residency is out of reach");
    return true;
  }
};

/// Refused: more resident blocks than the contract allows.
template <class Contract, class Architecture, int BlocksReached, int BlocksAllowed, class LimitedBy, class Fits>
struct excess_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> <= detail::allowed<BlocksAllowed>,
                  "warpguard: the contract's maximum residency is exceeded");
    return true;
  }
};

/// Refused: a minimum with no_forced_bounds and without max_registers.
template <class Contract, class Architecture, int BlocksRequired, class Fits>
struct free_registers_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Contract*) == 0, "warpguard: a minimum with no_forced_bounds needs max_registers");
    return true;
  }
};

/// Refused: a block whose registers the architecture does not have.
template <class Contract, class Architecture, int ThreadsPerBlock, int RegistersPerThread, class Fits>
struct register_file_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Contract*) == 0, "warpguard: not even one block gets the registers of the contract");
    return true;
  }
};

/// Refused: more threads than a block of the architecture has (1.x: 512).
template <class Contract, class Architecture, int ThreadsWanted, int ThreadsAllowed>
struct block_size_guard {
  static constexpr bool holds() {
    static_assert(detail::wanted<ThreadsWanted> <= detail::allowed<ThreadsAllowed>,
                  "warpguard: the architecture has no blocks of so many threads");
    return true;
  }
};

/// Refused: more registers than a thread of the architecture has (1.x: 124, 2.x and 3.0: 63).
template <class Contract, class Architecture, int RegistersWanted, int RegistersAllowed>
struct thread_registers_guard {
  static constexpr bool holds() {
    static_assert(detail::wanted<RegistersWanted> <= detail::allowed<RegistersAllowed>,
                  "warpguard: the architecture has no threads of so many registers");
    return true;
  }
};

/// Refused: more `__shared__` memory than ptxas accepts for the architecture (1.x: 16 KiB).
template <class Contract, class Architecture, int BytesWanted, int BytesAllowed>
struct static_shared_memory_guard {
  static constexpr bool holds() {
    static_assert(detail::wanted<BytesWanted> <= detail::allowed<BytesAllowed>,
                  "warpguard: the architecture has no blocks of so much static shared memory");
    return true;
  }
};

/// Refused: more shared memory, static and dynamic together, than a block of the architecture can opt in to.
template <class Contract, class Architecture, long long BytesWanted, int BytesAllowed>
struct shared_memory_guard {
  static constexpr bool holds() {
    static_assert(BytesWanted <= detail::allowed<BytesAllowed>,
                  "warpguard: the architecture has no blocks of so much shared memory, even with opt-in");
    return true;
  }
};

/// Refused: a larger cluster than the architecture has; before 9.0 there are none.
template <class Contract, class Architecture, int BlocksWanted, int BlocksAllowed>
struct cluster_guard {
  static constexpr bool holds() {
    static_assert(detail::wanted<BlocksWanted> <= detail::allowed<BlocksAllowed>,
                  "warpguard: the architecture has no clusters of so many blocks");
    return true;
  }
};

/// Refused: a contract that would be checked against nothing.
template <class Contract>
struct no_targets_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Contract*) == 0,
                  "warpguard: no target architecture is known: define WARPGUARD_TARGETS=750,900 or use guarantee_on");
    return true;
  }
};

/// Refused: code for an architecture that the contract is not checked for (clang before 22 with an incomplete
/// WARPGUARD_TARGETS).
template <class Contract, class Architecture>
struct device_pass_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Architecture*) == 0,
                  "warpguard: this build compiles for an architecture that WARPGUARD_TARGETS does not list");
    return true;
  }
};

namespace detail {

/// States the facts of the one rule that a contract breaks on an architecture of the table.
template <class Contract, class Architecture>
constexpr bool refuse_on_known() {
  constexpr architecture arch = Architecture::limits();
  constexpr contract_terms terms = Contract::terms_on(Architecture::compute_capability);
  constexpr verdict why = judge(arch, terms);
  constexpr kernel_resources kernel = terms.resources();

  if constexpr (why == verdict::block_size) {
    block_size_guard<Contract, Architecture, kernel.threads_per_block, arch.max_threads_per_block>::holds();
  } else if constexpr (why == verdict::registers_per_thread) {
    thread_registers_guard<Contract, Architecture, terms.max_registers, arch.max_registers_per_thread>::holds();
  } else if constexpr (why == verdict::static_shared_memory) {
    static_shared_memory_guard<Contract, Architecture, terms.static_shared_memory,
                               arch.max_shared_per_block_default>::holds();
  } else if constexpr (why == verdict::shared_memory) {
    shared_memory_guard<Contract, Architecture, 0LL + terms.static_shared_memory + terms.dynamic_shared_memory,
                        arch.max_shared_per_block_optin>::holds();
  } else if constexpr (why == verdict::cluster) {
    cluster_guard<Contract, Architecture, terms.cluster_size(), max_cluster(arch)>::holds();
  } else if constexpr (why == verdict::register_file) {
    register_file_guard<Contract, Architecture, kernel.threads_per_block, terms.max_registers,
                        registers_at_most<max_registers_per_thread(arch, kernel.threads_per_block, 1)>>::holds();
  } else if constexpr (why == verdict::free_registers) {
    constexpr int blocks = terms.blocks_required(arch);
    free_registers_guard<Contract, Architecture, blocks,
                         registers_at_most<max_registers_per_thread(arch, kernel.threads_per_block, blocks)>>::holds();
  } else if constexpr (why == verdict::residency) {
    constexpr occupancy now = occupancy_of(arch, kernel);
    constexpr advice fits = what_fits(arch, kernel, terms.goal(arch.max_warps_per_sm));
    residency_guard<Contract, Architecture, now.blocks_per_sm, terms.blocks_required(arch),
                    limiter_fact<now.limited_by>,
                    advice_fact<fits.registers_at_most, fits.shared_memory_at_most, fits.barriers_at_most,
                                fits.threads_per_block, fits.blocks_at_most>>::holds();
  } else if constexpr (why == verdict::excess) {
    constexpr occupancy now = occupancy_of(arch, kernel);
    constexpr int too_few_bytes = max_shared_memory(arch, kernel, terms.blocks_allowed() + 1);
    excess_guard<
        Contract, Architecture, now.blocks_per_sm, terms.blocks_allowed(), limiter_fact<now.limited_by>,
        std::conditional_t<(too_few_bytes < arch.max_shared_per_block_optin), shared_memory_at_least<too_few_bytes + 1>,
                           promise_at_least<now.blocks_per_sm>>>::holds();
  }
  return true;
}

template <class Contract, class Architecture>
constexpr bool refuse_on_architecture() {
  if constexpr (row_index(capability_of<Architecture>) < 0) {
    return architecture_guard<capability_of<Architecture>>::holds();
  } else {
    return refuse_on_known<Contract, Architecture>();
  }
}

template <class... Architecture>
struct architecture_list {
  static constexpr int count = sizeof...(Architecture);
  /// Where `architectures` has them; -1: not at all.
  static constexpr int rows[sizeof...(Architecture) + 1] = {row_index(capability_of<Architecture>)...};
  static constexpr weakest all = weakest_of(rows, count);

  template <class Contract>
  static constexpr bool refuse() {
    (..., refuse_on_architecture<Contract, Architecture>());
    return true;
  }
};

/// Whether every architecture is known and can keep the contract.
constexpr bool is_kept(stated const* options, int count, int const* rows, int row_count, weakest const& all) {
  bool const varies = speaks_of_architectures(options, count);
  contract_terms terms = read_terms(options, count, 0);
  if (!varies && surely_kept(all, terms)) return true;
  for (int i = 0; i < row_count; ++i) {
    if (rows[i] < 0) return false;
    architecture const& arch = *architectures[rows[i]];
    if (varies) terms = read_terms(options, count, arch.compute_capability);
    if (judge(arch, terms) != verdict::kept) return false;
  }
  return true;
}

/// Whether this is a contract at all; if not, a refusal.
template <class Contract>
constexpr bool check_contract() {
  if constexpr (!is_contract(static_cast<Contract*>(nullptr))) {
    return !contract_guard<Contract>::holds();
  } else if constexpr (!are_options(Contract::said, Contract::option_count, false)) {
    return !refuse_contract<Contract>(static_cast<Contract*>(nullptr));
  } else {
    return true;
  }
}

/// True, or a refusal.
template <class Contract, class List>
constexpr bool check() {
  if constexpr (!check_contract<Contract>()) {
    return true;
  } else if constexpr (List::count == 0) {
    return no_targets_guard<Contract>::holds();
  } else if constexpr (!is_kept(Contract::said, Contract::option_count, List::rows, List::count, List::all)) {
    return List::template refuse<Contract>();
  } else {
    return true;
  }
}

template <class... Architecture>
architecture_list<Architecture...> list_of(boost::hana::tuple<Architecture...> const&);
using target_architectures = decltype(list_of(targets));

/// Whether this pass is the host's or a target's.
inline constexpr bool compiles_for_a_target =
    device_pass == 0 || target_numbers.count == 0 || target_numbers.contains(device_pass);

/// An architecture of `compatible<...>`; the targets have been checked already.
template <class Contract, class Architecture>
constexpr bool check_compatible() {
  if constexpr (target_numbers.contains(capability_of<Architecture>)) {
    return true;
  } else {
    return check<Contract, architecture_list<Architecture>>();
  }
}
template <class Contract>
constexpr bool check_if_compatible(void const*) {
  return true;
}
template <class Contract, class... Architecture>
constexpr bool check_if_compatible(compatible<Architecture...> const*) {
  return (check_compatible<Contract, Architecture>() && ...);
}
template <class Contract, class... Option>
constexpr bool check_all_compatible(contract<Option...> const*) {
  return (check_if_compatible<Contract>(static_cast<Option*>(nullptr)) && ...);
}

/// Every pass checks all targets, and what the contract says is compatible with them; a device pass also checks that it
/// is one of them.
template <class Contract>
constexpr bool check_targets() {
  if constexpr (sizeof(Contract*) != 0 && !compiles_for_a_target) {
    return device_pass_guard<Contract, sm<device_pass>>::holds();
  } else if constexpr (!check<Contract, target_architectures>() || !check_contract<Contract>()) {
    return true;
  } else {
    return check_all_compatible<Contract>(static_cast<Contract*>(nullptr));
  }
}

/// What WARPGUARD_LAUNCH_BOUNDS passes on: the contract's own numbers, once it has been checked; a refused contract may
/// have no numbers.
template <class Contract, bool Usable = check_targets<Contract>() && check_contract<Contract>()>
struct bounds {
  static constexpr int launch_threads = Contract::launch_threads;
  static constexpr int launch_min_blocks = Contract::launch_min_blocks;
  static constexpr int launch_max_cluster = Contract::launch_max_cluster;
};
template <class Contract>
struct bounds<Contract, false> {
  static constexpr int launch_threads = 1;
  static constexpr int launch_min_blocks = 0;
  static constexpr int launch_max_cluster = 0;
};

}  // namespace detail

/// Naming it holds the contract against every target: `static_assert(wg::guarantee<saxpy_contract>)`. True where it
/// compiles; one build lists every architecture that fails.
template <class Contract>
inline constexpr bool guarantee = detail::check_targets<Contract>();

/// The same for architectures named here: `wg::guarantee_on<saxpy_contract, wg::sm<90>, wg::sm<120>>`. Needs no
/// targets.
template <class Contract, class... Architecture>
inline constexpr bool guarantee_on = detail::check<Contract, detail::architecture_list<Architecture...>>();

/// Whether these architectures can keep a contract, as an answer instead of a refusal: to choose between contracts,
/// such as the largest tile that `wg::is_kept_on<matmul_contract<Tile>, wg::sm<86>>`. A contract that is none is still
/// refused.
template <class Contract, class... Architecture>
inline constexpr bool is_kept_on =
    (architecture_guard<detail::capability_of<Architecture>>::holds() && ...) && detail::check_contract<Contract>() &&
    detail::is_kept(Contract::said, Contract::option_count, detail::architecture_list<Architecture...>::rows,
                    sizeof...(Architecture), detail::architecture_list<Architecture...>::all);

}  // namespace warpguard

/// The kernel's `__launch_bounds__`, from its contract, which it also checks:
///
///     __global__ void WARPGUARD_LAUNCH_BOUNDS(saxpy_contract) saxpy(int n, float a, float const* x, float* y);
///
/// Each pass of a build for several architectures gets that architecture's own minimum blocks, and the cluster argument
/// only where it is legal. Not defined where there are no kernels.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WARPGUARD_LAUNCH_BOUNDS(...)                                             \
  __launch_bounds__(::warpguard::detail::bounds<__VA_ARGS__>::launch_threads,    \
                    ::warpguard::detail::bounds<__VA_ARGS__>::launch_min_blocks, \
                    ::warpguard::detail::bounds<__VA_ARGS__>::launch_max_cluster)
#elif defined(__CUDACC__)
#define WARPGUARD_LAUNCH_BOUNDS(...)                                          \
  __launch_bounds__(::warpguard::detail::bounds<__VA_ARGS__>::launch_threads, \
                    ::warpguard::detail::bounds<__VA_ARGS__>::launch_min_blocks)
#endif
