// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Functors and `__device__` lambdas as kernels. Only nvcc and clang compile kernels; elsewhere nothing is a functor.

#pragma once

#include <type_traits>

#include "../../contract/guarantee.hpp"
#include "../kernel.cuh"

namespace warpguard::detail {

#if defined(__CUDACC__)

/// Whether a class has a call operator, of whatever parameters: then two of them make the name ambiguous.
struct call_operator {
  void operator()();
};
template <class Class>
struct two_call_operators : Class, call_operator {};
/// A final class has no derived one to ask; its call fails to compile if it has no such operator.
template <class Class, bool IsFinal = std::is_final_v<Class>, class = void>
inline constexpr bool has_call_operator = true;
template <class Class>
inline constexpr bool has_call_operator<Class, false, std::void_t<decltype(&two_call_operators<Class>::operator())>> =
    false;

template <class... Contract>
std::true_type is_contracted(contracted_kernel<Contract...> const*);
std::false_type is_contracted(void const*);

template <class Type,
          bool IsClass = std::is_class_v<Type> && !decltype(is_contracted(static_cast<Type*>(nullptr)))::value>
inline constexpr bool is_functor = false;
template <class Type>
inline constexpr bool is_functor<Type, true> =
#if defined(__CUDACC_EXTENDED_LAMBDA__)
    __nv_is_extended_device_lambda_closure_type(Type) || __nv_is_extended_host_device_lambda_closure_type(Type) ||
#endif
    has_call_operator<Type>;

/// The kernel that calls a functor.
template <class Contract, class Functor, class... Argument>
__global__ void WARPGUARD_LAUNCH_BOUNDS(Contract) run_functor(Functor functor, Argument... argument) {
  functor(argument...);
}

#else

template <class Type>
inline constexpr bool is_functor = false;

#endif

template <class Functor>
using if_functor = std::enable_if_t<is_functor<Functor>, int>;

}  // namespace warpguard::detail
