// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A kernel and its contract, named once.

#pragma once

#include <type_traits>

#include "guards.cuh"

namespace warpguard {

/// A kernel whose contract is known. Made by `kernel`.
template <class Contract, class... Parameter>
struct contracted_kernel {
  using pointer = void (*)(Parameter...);  ///< to a kernel
  pointer function;                        ///< the kernel
};

namespace detail {

template <class Contract, class Function>
struct contracted_kernel_of {
  using type = contracted_kernel<Contract>;
  using fault = kernel_guard<Function>;
  static constexpr void (*pointer(Function))() { return nullptr; }  // it is refused, and must not add other errors
};
template <class Contract, class... Parameter>
struct contracted_kernel_of<Contract, void (*)(Parameter...)> {
  using type = contracted_kernel<Contract, Parameter...>;
  using fault = no_refusal;
  static constexpr auto pointer(void (*kernel)(Parameter...)) { return kernel; }
};
template <class Contract, class... Parameter>
struct contracted_kernel_of<Contract, void (*)(Parameter...) noexcept>
    : contracted_kernel_of<Contract, void (*)(Parameter...)> {};

}  // namespace detail

/// A kernel and its contract, which launch() and the other functions that take a kernel then find together:
///
///     inline constexpr wg::kernel<saxpy_contract, saxpy> saxpy_kernel;
///     cudaError_t const status = wg::launch(saxpy_kernel, grid, stream, n, a, x, y);
///
/// `Function`: a `__global__` function, or one instance of a template.
template <class Contract, auto Function>
struct kernel : detail::contracted_kernel_of<Contract, decltype(Function)>::type {
 private:
  using kernel_of = detail::contracted_kernel_of<Contract, decltype(Function)>;
  static_assert(kernel_of::fault::holds());

 public:
  constexpr kernel() : kernel_of::type{kernel_of::pointer(Function)} {}
};

}  // namespace warpguard
