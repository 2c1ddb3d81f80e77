// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds what is wrong with the arguments of a launch, so that one message names it. A compiler would list every
/// overload of launch() instead.
///
/// Only what is certainly wrong is found. A literal 0 converts to a pointer although its type, int, does not: then
/// overload resolution decides.

#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "../../contract/guarantee.hpp"
#include "../../contract/guard_list.hpp"
#include "../grid_size.cuh"
#include "../guards.cuh"
#include "../kernel.cuh"
#include "functor.cuh"
#include "prepare.cuh"

namespace warpguard {

struct launch_options;

namespace detail {

/// Stands for a contract that was not named.
struct unnamed_contract;
/// Stands for an argument that was not given.
struct no_argument;

/// Holds a contract against the targets, for a launch of `Kernel`.
template <class Contract, class Kernel>
inline constexpr bool launch_guarantee = guarantee<Contract>;
template <class Kernel>
inline constexpr bool launch_guarantee<unnamed_contract, Kernel> = contract_name_guard<Kernel>::holds();

/// The contract of a launch as values; null for a faulty one, which is refused and must not add other errors.
template <class Contract, class Targets, bool IsFaulty = has_fault<Contract>>
inline constexpr launched_contract const* launched = nullptr;
template <class Contract, class Targets>
inline constexpr launched_contract const* launched<Contract, Targets, false> = &contract_for_launch<Contract, Targets>;

/// Whether a launch must give the block: on a target, or where no target is known.
constexpr bool leaves_block_to_launch(launched_contract const& contract) {
  if (contract.terms_on(0).block_varies != 0) return true;
  if (!has_outer_kind(contract.options, contract.option_count)) return false;
  for (int index = 0; index < contract.target_count; ++index) {
    if (contract.terms_on(contract.targets[index]).block_varies != 0) return true;
  }
  return false;
}
template <class Contract, class Targets, bool IsFaulty = has_fault<Contract>>
inline constexpr bool needs_block = false;
template <class Contract, class Targets>
inline constexpr bool needs_block<Contract, Targets, false> =
    leaves_block_to_launch(contract_for_launch<Contract, Targets>);

/// Holds a contract against launches that give no block.
template <class Contract, class Targets, bool IsRefused = needs_block<Contract, Targets>>
inline constexpr bool fixes_block = true;
template <class Contract, class Targets>
inline constexpr bool fixes_block<Contract, Targets, true> = block_choice_guard<Contract>::holds();

template <class... Type>
struct types {
  static constexpr int count = sizeof...(Type);
};

template <int Index, class First, class... Type>
struct type_at_index : type_at_index<Index - 1, Type...> {};
template <class First, class... Type>
struct type_at_index<0, First, Type...> {
  using type = First;
};
template <int Index, class... Type>
std::decay_t<typename type_at_index<Index, Type...>::type> type_at(types<Type...>);

/// Whether an argument converts to a type, or may do so because it may be a literal 0.
template <class Given, class Type>
inline constexpr bool may_convert = std::is_convertible_v<Given, Type> ||
                                    (std::is_integral_v<Given> && std::is_convertible_v<std::nullptr_t, Type>);

/// Returns the position of the first argument that does not convert to its parameter, or -1.
template <class... Given, class... Parameter>
constexpr int find_misfit(types<Given...>, types<Parameter...>) {
  bool const converts[] = {may_convert<Given, Parameter>..., true};
  for (int index = 0; index < static_cast<int>(sizeof...(Given)); ++index) {
    if (!converts[index]) return index;
  }
  return -1;
}

/// Returns the guard of the kernel's arguments. A cudaKernel_t does not tell its parameters.
template <class Kernel, class Given>
constexpr auto find_argument_fault(Given, no_argument*) {
  return no_refusal{};
}
template <class Kernel, class Given, class... Parameter>
constexpr auto find_argument_fault(Given given, types<Parameter...>* parameters) {
  if constexpr (Given::count != sizeof...(Parameter)) {
    return argument_count_guard<Kernel, sizeof...(Parameter), Given::count>{};
  } else {
    constexpr int misfit = find_misfit(Given{}, types<Parameter...>{});
    if constexpr (misfit < 0) {
      return no_refusal{};
    } else {
      return argument_type_guard<Kernel, misfit + 1, decltype(type_at<misfit>(given)),
                                 decltype(type_at<misfit>(*parameters))>{};
    }
  }
}

/// Returns the guard of what is given after the kernel: launch_options or a grid and a stream, and the arguments.
template <class Kernel, class Parameters>
constexpr auto find_call_fault(types<>) {
  return grid_guard<Kernel, no_argument>{};
}
template <class Kernel, class Parameters, class Grid>
constexpr auto find_call_fault(types<Grid>) {
  if constexpr (std::is_convertible_v<std::decay_t<Grid>*, launch_options const*>) {
    return find_argument_fault<Kernel>(types<>{}, static_cast<Parameters*>(nullptr));
  } else if constexpr (!std::is_convertible_v<Grid, grid_size>) {
    return grid_guard<Kernel, std::decay_t<Grid>>{};
  } else {
    return stream_guard<Kernel, no_argument>{};
  }
}
template <class Kernel, class Parameters, class Grid, class Stream, class... Given>
constexpr auto find_call_fault(types<Grid, Stream, Given...>) {
  if constexpr (std::is_convertible_v<std::decay_t<Grid>*, launch_options const*>) {
    return find_argument_fault<Kernel>(types<Stream, Given...>{}, static_cast<Parameters*>(nullptr));
  } else if constexpr (!std::is_convertible_v<Grid, grid_size>) {
    return grid_guard<Kernel, std::decay_t<Grid>>{};
  } else if constexpr (std::is_convertible_v<Stream, cudaStream_t>) {
    return find_argument_fault<Kernel>(types<Given...>{}, static_cast<Parameters*>(nullptr));
  } else {
    // An integer may be a literal 0, but hardly if an argument is missing or left over.
    using fault = decltype(find_argument_fault<Kernel>(types<Given...>{}, static_cast<Parameters*>(nullptr)));
    constexpr bool may_be_stream = may_convert<Stream, cudaStream_t> && std::is_same_v<fault, no_refusal>;
    return std::conditional_t<may_be_stream, no_refusal, stream_guard<Kernel, std::decay_t<Stream>>>{};
  }
}

/// A kernel, as far as its type tells. `OwnContract`: of a `kernel<Contract, function>`; otherwise unnamed_contract.
template <class OwnContract, class Function, class Parameters>
struct kernel_type {
  using own_contract = OwnContract;
  using function = Function;
};
/// A functor or a lambda: what it takes is not known.
struct functor_type {};
struct no_kernel {};

template <class... Parameter>
kernel_type<unnamed_contract, void(Parameter...), types<Parameter...>> type_of_kernel(void (*)(Parameter...));
template <class Contract, class... Parameter>
kernel_type<Contract, void(Parameter...), types<Parameter...>> type_of_kernel(
    contracted_kernel<Contract, Parameter...> const&);
#if CUDART_VERSION >= 12010
kernel_type<unnamed_contract, cudaKernel_t, no_argument> type_of_kernel(cudaKernel_t);
#endif
template <class Functor, if_functor<Functor> = 0>
functor_type type_of_kernel(Functor const&);
no_kernel type_of_kernel(...);

/// Returns what the runtime knows a kernel by.
template <class... Parameter>
void const* address_of(void (*kernel)(Parameter...)) {
  return reinterpret_cast<void const*>(kernel);
}
template <class Contract, class... Parameter>
void const* address_of(contracted_kernel<Contract, Parameter...> const& kernel) {
  return reinterpret_cast<void const*>(kernel.function);
}
#if CUDART_VERSION >= 12010
inline void const* address_of(cudaKernel_t kernel) { return static_cast<void const*>(kernel); }
#endif

/// The contract of a function that takes a kernel and no arguments for it, and what is wrong with the two.
template <class Contract, class Kernel, class KernelType>
struct contract_of_call {
  using contract = Contract;
  using fault = kernel_guard<Kernel>;
  static constexpr bool is_kept = true;
  static void const* address_of(Kernel const&) { return nullptr; }  // it is refused, and must not add other errors
};
/// A kernel that can be taken.
template <class Contract, class Function>
struct kernel_call {
  using contract = Contract;
  static constexpr bool is_kept = launch_guarantee<Contract, Function>;
  template <class Kernel>
  static void const* address_of(Kernel const& kernel) {
    return detail::address_of(kernel);
  }
};
template <class Contract, class Kernel, class Function, class Parameters>
struct contract_of_call<Contract, Kernel, kernel_type<unnamed_contract, Function, Parameters>>
    : kernel_call<Contract, Function> {
  using fault = no_refusal;
};
template <class Contract, class Kernel, class OwnContract, class Function, class Parameters>
struct contract_of_call<Contract, Kernel, kernel_type<OwnContract, Function, Parameters>>
    : kernel_call<OwnContract, Function> {
  using fault = std::conditional_t<std::is_same_v<Contract, unnamed_contract> || std::is_same_v<Contract, OwnContract>,
                                   no_refusal, other_contract_guard<Function, Contract, OwnContract>>;
};
template <class Contract, class Kernel>
using call_of = contract_of_call<Contract, std::decay_t<Kernel>, decltype(type_of_kernel(std::declval<Kernel>()))>;

template <class Contract, class Kernel, class Given>
constexpr auto find_launch_fault(no_kernel, Given) {
  return kernel_guard<std::decay_t<Kernel>>{};
}
template <class Contract, class Kernel, class Given>
constexpr auto find_launch_fault(functor_type, Given given) {
  return find_call_fault<Kernel, no_argument>(given);
}
template <class Contract, class Kernel, class Given, class OwnContract, class Function, class Parameters>
constexpr auto find_launch_fault(kernel_type<OwnContract, Function, Parameters>, Given given) {
  using fault = decltype(find_call_fault<Function, Parameters>(given));
  constexpr bool is_unnamed = std::is_same_v<Contract, unnamed_contract>;
  if constexpr (std::is_same_v<OwnContract, unnamed_contract>) {
    constexpr bool is_nameless = is_unnamed && !std::is_same_v<fault, no_refusal>;
    return std::conditional_t<is_nameless, contract_name_guard<Function>, fault>{};
  } else {
    constexpr bool is_same = is_unnamed || std::is_same_v<Contract, OwnContract>;
    return std::conditional_t<is_same, fault, other_contract_guard<Function, Contract, OwnContract>>{};
  }
}

/// The guard of a launch that is certainly wrong; no type for one that may be right.
template <class Fault>
struct certain_fault {
  using type = Fault;
};
template <>
struct certain_fault<no_refusal> {};
template <class Contract, class Kernel, class... Given>
using certain_refusal = typename certain_fault<decltype(find_launch_fault<Contract, Kernel>(
    decltype(type_of_kernel(std::declval<Kernel>())){}, types<Given...>{}))>::type;

/// The guard of a launch that no overload takes.
template <class Contract, class Function>
using unfit_launch = std::conditional_t<std::is_same_v<Contract, unnamed_contract>, contract_name_guard<Function>,
                                        launch_guard<Function>>;

}  // namespace detail

}  // namespace warpguard
