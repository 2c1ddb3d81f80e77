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
#include "../guards.cuh"

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
  } else if constexpr (!std::is_convertible_v<Grid, dim3>) {
    return grid_guard<Kernel, std::decay_t<Grid>>{};
  } else {
    return stream_guard<Kernel, no_argument>{};
  }
}
template <class Kernel, class Parameters, class Grid, class Stream, class... Given>
constexpr auto find_call_fault(types<Grid, Stream, Given...>) {
  if constexpr (std::is_convertible_v<std::decay_t<Grid>*, launch_options const*>) {
    return find_argument_fault<Kernel>(types<Stream, Given...>{}, static_cast<Parameters*>(nullptr));
  } else if constexpr (!std::is_convertible_v<Grid, dim3>) {
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

/// A kernel, as far as its type tells.
template <class Function, class Parameters>
struct kernel_type {};
struct no_kernel {};

template <class... Parameter>
kernel_type<void(Parameter...), types<Parameter...>> type_of_kernel(void (*)(Parameter...));
#if CUDART_VERSION >= 12010
kernel_type<cudaKernel_t, no_argument> type_of_kernel(cudaKernel_t);
#endif
no_kernel type_of_kernel(...);

template <class Contract, class Kernel, class Given>
constexpr auto find_launch_fault(no_kernel, Given) {
  return kernel_guard<std::decay_t<Kernel>>{};
}
template <class Contract, class Kernel, class Given, class Function, class Parameters>
constexpr auto find_launch_fault(kernel_type<Function, Parameters>, Given given) {
  using fault = decltype(find_call_fault<Function, Parameters>(given));
  constexpr bool is_unnamed = std::is_same_v<Contract, unnamed_contract> && !std::is_same_v<fault, no_refusal>;
  return std::conditional_t<is_unnamed, contract_name_guard<Function>, fault>{};
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
