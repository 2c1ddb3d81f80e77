// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Holds contracts against architectures: `guarantee` and `guarantee_on` refuse the build, `is_kept` and `is_kept_on`
/// answer with a bool, and `WARPGUARD_LAUNCH_BOUNDS` gives a kernel its bounds. violation.hpp decides, guards.hpp has
/// the words.
///
/// The guards are instantiated in the initialisers of `guarantee` and `guarantee_on`, not in functions that these call:
/// each level between an assertion and the user's line costs three lines of clang's output.

#pragma once

#include "../hardware/architecture.hpp"
#include "contract.hpp"
#include "detail/contract_faults.hpp"
#include "guards.hpp"
#include "refusal.hpp"
#include "targets.hpp"
#include "violation.hpp"

namespace warpguard {

namespace detail {

/// How a contract stands the check against a list of architectures.
enum class check_result {
  kept,
  broken,                ///< on one of the architectures
  fault,                 ///< it is not a contract
  dead_on,               ///< an `on` is for an architecture that no build can target
  no_targets,            ///< there is nothing to check it against
  unlisted_device_pass,  ///< this pass compiles for an architecture that is not in the list
};

/// The rows of a list of architectures; -1 for an unknown one.
template <class Architectures>
inline constexpr int const* rows_of = nullptr;
template <int... ComputeCapability>
inline constexpr int rows_of_list[sizeof...(ComputeCapability) + 1] = {row_index(ComputeCapability)...};
template <int... ComputeCapability>
inline constexpr int const* rows_of<target_list<ComputeCapability...>> = rows_of_list<ComputeCapability...>;

/// Returns the row of the architecture whose code a device runs in this build: its own row if the build has none for
/// it. -1 if the table lacks it.
WARPGUARD_DETAIL_HOST constexpr int find_code(int device_row) {
  int const device = architectures[device_row]->compute_capability;
  return compiled_targets.contains(device) ? device_row : row_index(code_in_build(device));
}

/// Returns `kept` if every row keeps the contract. A row of -1 is an unknown architecture. `own_code`: each row runs
/// code for itself; otherwise code of this build.
WARPGUARD_DETAIL_HOST constexpr check_result check_rows(option_value const* const* options, int option_count,
                                                        bool varies, int const* rows, int row_count, bool own_code) {
  resolved_contract terms = resolve(options, option_count, 0);
  kernel_resources kernel = terms.resources();
  for (int index = 0; index < row_count; ++index) {
    if (rows[index] < 0) return check_result::broken;
    int const code_row = own_code ? rows[index] : find_code(rows[index]);
    if (code_row < 0) return check_result::broken;
    architecture const& code = *architectures[code_row];
    if (varies) {
      if (find_each_fault(options, option_count, code.compute_capability).second >= 0) return check_result::broken;
      terms = resolve(options, option_count, code.compute_capability);
      kernel = terms.resources();
    }
    if (first_violation(*architectures[rows[index]], terms, kernel, code) != violation::none)
      return check_result::broken;
  }
  return check_result::kept;
}

/// Checks that options make a contract, and then the contract against rows of the table.
WARPGUARD_DETAIL_HOST constexpr check_result check_options(option_value const* const* options, int count,
                                                           int const* rows, int row_count, bool in_build) {
  if (!are_options(options, count, false)) return check_result::fault;
  if (!states_threads(options, count)) return check_result::fault;
  if (row_count == 0 && in_build && build_targets.is_refused()) return check_result::kept;  // refused once, not twice
  if (row_count == 0) return check_result::no_targets;
  bool const varies = has_outer_kind(options, count);
  if (in_build && varies && has_dead_on(options, count)) return check_result::dead_on;
  bool const all_are_compiled = compiled_targets.count == build_targets.count;
  check_result result = check_rows(options, count, varies, rows, row_count, !in_build || all_are_compiled);
  for (int index = 0; index < count && in_build && result == check_result::kept; ++index) {
    if (options[index]->row_count == 0) continue;  // it is not also_runs_on
    result = check_rows(options, count, varies, options[index]->rows, options[index]->row_count, false);
  }
  return result;
}

template <class... List>
struct join_targets;
template <int... ComputeCapability>
struct join_targets<target_list<ComputeCapability...>> {
  using type = target_list<ComputeCapability...>;
};
template <int... First, int... Second, class... Rest>
struct join_targets<target_list<First...>, target_list<Second...>, Rest...>
    : join_targets<target_list<First..., Second...>, Rest...> {};

WARPGUARD_DETAIL_HOST target_list<> architectures_of(void const*);
template <class... Architecture>
WARPGUARD_DETAIL_HOST target_list<capability_of<Architecture>...> architectures_of(
    also_runs_on<Architecture...> const*);

template <class Options>
struct architectures_in_build;
template <class... Option>
struct architectures_in_build<option_list<Option...>>
    : join_targets<build_target_list, decltype(architectures_of(static_cast<Option*>(nullptr)))...> {};

/// The architectures whose terms a check asks for: in the build also those of also_runs_on.
template <class Contract, class Architectures, bool InBuild>
struct asked_architectures {
  using type = Architectures;
};
template <class Contract, class Architectures>
struct asked_architectures<Contract, Architectures, true> : architectures_in_build<typename Contract::options> {};

template <class Contract, class Architectures, bool InBuild = false, contract_kind Kind = is_contract<Contract>::kind>
inline constexpr check_result result_on = check_result::fault;
template <class Contract, class Architectures, bool InBuild>
inline constexpr check_result result_on<Contract, Architectures, InBuild, contract_kind::plain> = check_options(
    Contract::option_values, Contract::options::count, rows_of<Architectures>, Architectures::count, InBuild);
template <class Contract, class Architectures, bool InBuild>
inline constexpr check_result result_on<Contract, Architectures, InBuild, contract_kind::with_each> =
    check_options(Contract::template values_for<typename asked_architectures<Contract, Architectures, InBuild>::type>,
                  Contract::options::count, rows_of<Architectures>, Architectures::count, InBuild);

/// Whether a type is not a contract, or its options make none.
template <class Contract>
inline constexpr bool has_fault = result_on<Contract, target_list<>> == check_result::fault;

constexpr bool device_pass_is_listed =
    device_pass == 0 || build_target_list::count == 0 || build_target_list::contains(device_pass);

/// Every pass checks all targets of the build and the architectures of also_runs_on; a device pass also checks that it
/// is one of the targets.
template <class Contract>
inline constexpr check_result build_result =
    device_pass_is_listed ? result_on<Contract, build_target_list, true> : check_result::unlisted_device_pass;

/// The guards that name no architecture.
template <class Contract, check_result Result>
struct contract_refusals {
  using guards = guard_list<>;
};
template <class Contract>
struct contract_refusals<Contract, check_result::fault> {
  using guards = faults_of_contract<Contract>;
};
template <class Contract>
struct contract_refusals<Contract, check_result::dead_on> {
  using guards = dead_ons<Contract>;
};
template <class Contract>
struct contract_refusals<Contract, check_result::no_targets> {
  using guards = guard_list<no_targets_guard<Contract>>;
};
template <class Contract>
struct contract_refusals<Contract, check_result::unlisted_device_pass> {
  using guards = guard_list<device_pass_guard<Contract, sm<device_pass>>>;
};

/// What `guarantee` instantiates guards for: nothing, faults of the contract by their numbers, or a target_list.
struct refused {};
struct nothing_refused : refused {};
template <check_result Result, class Numbers>
struct contract_refused : refused {};

/// By the result of a check: what is refused whatever the architecture, in the build, and on one architecture.
template <check_result Result>
struct refused_for {
  template <class Contract>
  using as_a_whole =
      contract_refused<Result, typename count_to<contract_refusals<Contract, Result>::guards::count>::type>;
  template <class Contract>
  using first = guard_at<0, typename contract_refusals<Contract, Result>::guards>;
  template <class Contract>
  using in_build = as_a_whole<Contract>;
  template <class Contract, class Architecture>
  using on = no_refusal;
};
template <>
struct refused_for<check_result::kept> {
  template <class Contract>
  using as_a_whole = nothing_refused;
  template <class Contract>
  using first = no_refusal;
  template <class Contract>
  using in_build = nothing_refused;
  template <class Contract, class Architecture>
  using on = no_refusal;
};
template <>
struct refused_for<check_result::broken> {
  template <class Contract>
  using as_a_whole = nothing_refused;
  template <class Contract>
  using first = no_refusal;
  template <class Contract>
  using in_build = typename architectures_in_build<typename Contract::options>::type;
  template <class Contract, class Architecture>
  using on = refusal_on<Contract, Architecture>;
};

template <class Contract>
using refused_in_build = typename refused_for<build_result<Contract>>::template in_build<Contract>;
template <class Contract, class... Architecture>
using refused_on = refused_for<result_on<Contract, target_list<capability_of<Architecture>...>>>;
/// The guard of a second argument that is none of these. (nvcc gets here also with what it reported as an error
/// before.)
template <class Argument, bool IsRefused = __is_base_of(refused, Argument)>
struct guard_of_argument {
  template <class Contract>
  using type = no_refusal;
};
template <class Argument>
struct guard_of_argument<Argument, false> {
  template <class Contract>
  using type = guarantee_guard<Contract, Argument>;
};

template <class Contract, check_result Result, int Number>
using contract_refusal = guard_at<Number, typename contract_refusals<Contract, Result>::guards>;

}  // namespace detail

/// Naming it holds the contract against every target of the build, and against the architectures of also_runs_on:
/// `static_assert(wg::guarantee<saxpy_contract>)`. True if it compiles; one build lists every architecture that fails.
/// Leave `Refused` to its default.
template <class Contract, class Refused = detail::refused_in_build<Contract>>
inline constexpr bool guarantee = detail::guard_of_argument<Refused>::template type<Contract>::holds();
template <class Contract>
inline constexpr bool guarantee<Contract, detail::nothing_refused> = true;
template <class Contract, detail::check_result Result, int... Number>
inline constexpr bool guarantee<Contract, detail::contract_refused<Result, detail::positions<Number...>>> =
    (... && detail::contract_refusal<Contract, Result, Number>::holds());
/// The check on the architectures of a build.
template <class Contract, int... ComputeCapability>
inline constexpr bool guarantee<Contract, target_list<ComputeCapability...>> =
    (... && detail::refusal_on<Contract, typename detail::device_in_build<ComputeCapability>::type>::holds());

/// The same for architectures named here: `wg::guarantee_on<saxpy_contract, wg::sm<90>, wg::sm<120>>`. Needs no
/// targets.
template <class Contract, class... Architecture>
inline constexpr bool guarantee_on =
    detail::refused_on<Contract, Architecture...>::template first<Contract>::holds() &&
    guarantee<Contract, typename detail::refused_on<Contract, Architecture...>::template as_a_whole<Contract>> &&
    (... && detail::refused_on<Contract, Architecture...>::template on<Contract, Architecture>::holds());

/// Whether these architectures keep a contract, as a bool: to choose between contracts, such as the largest tile with
/// `wg::is_kept_on<matmul_contract<Tile>, wg::sm<86>>`. Refused: a type that is not a contract, an unknown
/// architecture, and no architecture at all.
template <class Contract, class... Architecture>
inline constexpr bool is_kept_on =
    (... && architecture_guard<detail::capability_of<Architecture>>::holds()) &&
    detail::refused_on<Contract, Architecture...>::template first<Contract>::holds() &&
    guarantee<Contract,
              typename detail::refused_on<Contract, Architecture...>::template as_a_whole<Contract>>&& detail::
            result_on<Contract, target_list<detail::capability_of<Architecture>...>> == detail::check_result::kept;

/// The same for everything that `guarantee` checks.
template <class Contract>
inline constexpr bool is_kept =
    detail::refused_for<detail::build_result<Contract>>::template first<Contract>::holds() &&
    guarantee<Contract, typename detail::refused_for<detail::build_result<Contract>>::template as_a_whole<
                            Contract>>&& detail::build_result<Contract> == detail::check_result::kept;

namespace detail {

/// Refuses a type that is not a contract, and options that make none. True if it compiles.
template <class Contract>
inline constexpr bool no_faults =
    guarantee<Contract, typename refused_for<has_fault<Contract> ? check_result::fault
                                                                 : check_result::kept>::template as_a_whole<Contract>>;

/// Returns the second argument of `__launch_bounds__` on an architecture; 0, which omits it, in the host pass.
WARPGUARD_DETAIL_HOST constexpr int launch_min_blocks(resolved_contract const& terms, int compute_capability) {
  int const row = row_index(compute_capability);
  return row < 0 ? 0 : terms.launch_min_blocks(*architectures[row]);
}

/// The arguments of `__launch_bounds__` in this pass of the compiler; in the host pass, which is for no architecture,
/// the threads that hold everywhere. Those of what is not a contract are of no consequence, but must not add errors.
template <class Contract, bool IsContract = build_result<Contract> != check_result::fault>
struct bounds {
  static constexpr resolved_contract terms = Contract::template terms_on<target_list<device_pass>>(device_pass);

  static constexpr int launch_threads = terms.block_x > 0 ? terms.threads() : 1;
  /// Blocks per SM; 0 omits the argument: in the host pass, without a minimum, and with no_min_blocks_bound.
  static constexpr int launch_min_blocks = detail::launch_min_blocks(terms, device_pass);
  /// Blocks per cluster; 0 omits the argument: in the host pass, and without clusters.
  static constexpr int launch_max_cluster = device_pass != 0 && terms.cluster_size() > 1 ? terms.cluster_size() : 0;
};
template <class Contract>
struct bounds<Contract, false> {
  static constexpr int launch_threads = 1;
  static constexpr int launch_min_blocks = 0;
  static constexpr int launch_max_cluster = 0;
};

}  // namespace detail

}  // namespace warpguard

/// The kernel's `__launch_bounds__`, from its contract, which it also checks:
///
///     __global__ void WARPGUARD_LAUNCH_BOUNDS(saxpy_contract) saxpy(int n, float a, float const* x, float* y);
///
/// In a build for several architectures each gets its own minimum of blocks, and the cluster argument only where it is
/// legal. Defined only where there are kernels. clang before 18 cannot state clusters.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !(defined(__clang__) && defined(__CUDA__) && __clang_major__ < 18)
#define WARPGUARD_LAUNCH_BOUNDS(...)                                                                      \
  __launch_bounds__(                                                                                      \
      ::warpguard::guarantee<__VA_ARGS__> ? ::warpguard::detail::bounds<__VA_ARGS__>::launch_threads : 1, \
      ::warpguard::detail::bounds<__VA_ARGS__>::launch_min_blocks,                                        \
      ::warpguard::detail::bounds<__VA_ARGS__>::launch_max_cluster)
#elif defined(__CUDACC__)
#define WARPGUARD_LAUNCH_BOUNDS(...)                                                                      \
  __launch_bounds__(                                                                                      \
      ::warpguard::guarantee<__VA_ARGS__> ? ::warpguard::detail::bounds<__VA_ARGS__>::launch_threads : 1, \
      ::warpguard::detail::bounds<__VA_ARGS__>::launch_min_blocks)
#endif
