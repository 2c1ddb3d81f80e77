// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launches a kernel as its contract describes: block, dynamic shared memory with the opt-in, carve-out and cluster.
/// The caller gives the grid and the stream, and what the contract leaves to the launch. detail/prepare.cuh does what
/// only the first launch does. Needs CUDA 11.8 or later; cudaKernel_t needs 12.1.

#pragma once

#include <cuda_runtime.h>

#include "../contract/guarantee.hpp"
#include "../contract/targets.hpp"
#include "detail/functor.cuh"
#include "detail/launch_call.cuh"
#include "detail/launch_form.cuh"
#include "detail/memory.cuh"
#include "detail/parameters.cuh"
#include "detail/prepare.cuh"
#include "grid_size.cuh"
#include "guards.cuh"
#include "kernel.cuh"
#include "launch_options.cuh"
#include "launch_refusal.cuh"
#include "promise.cuh"

namespace warpguard {

/// Makes the next launch prepare each kernel again. Call it after cudaDeviceReset() or cudaLibraryUnload(), and before
/// launches in another context of a device: there kernels lack the attributes that they were given.
inline void forget_prepared_kernels() { detail::current_epoch.fetch_add(1); }

namespace detail {

/// A kernel's parameter, deduced from the kernel alone: arguments are converted to it at the caller's line.
template <class Parameter>
struct parameter {
  using type = Parameter;
};

/// Needs a conversion that the other overloads do not need, so that they come first.
struct stream_of_deduced {
  stream_of_deduced(cudaStream_t given) : stream(given) {}
  cudaStream_t stream;
};
struct options_of_deduced {
  options_of_deduced(launch_options const& given) : options(given) {}
  launch_options const& options;
};

inline cudaError_t launch_function(launched_contract const* contract, void const* kernel, launch_options const& options,
                                   void** arguments) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t const status = find_prepared(*contract, kernel, prepared);
  return status == cudaSuccess ? launch_prepared(*prepared, options, arguments) : status;
}

/// The same for a kernel whose parameters the compiler does not know.
inline cudaError_t launch_loaded(launched_contract const* contract, void const* kernel, launch_options const& options,
                                 argument_list const& list, void** arguments) {
  prepared_kernel const* prepared = nullptr;
  cudaError_t const status = find_prepared(*contract, kernel, prepared);
  if (status != cudaSuccess) return status;
  if (launch_refusal const why = find_argument_refusal(*prepared, list); why != launch_refusal::none)
    return refuse(why);
  return launch_prepared(*prepared, options, arguments);
}

}  // namespace detail

/// Refuses a launch that is certainly wrong, and names the argument. Takes no other launch.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Kernel, class... Given,
          class Fault = detail::certain_refusal<Contract, Kernel, Given...>>
cudaError_t launch(Kernel&&, Given&&...) {
  static_assert(Fault::holds());
  return cudaErrorInvalidValue;
}

/// Refuses every launch that no other overload takes: any other is better than an ellipsis.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
cudaError_t launch(void (*)(Parameter...), ...) {
  static_assert(detail::unfit_launch<Contract, void(Parameter...)>::holds());
  return cudaErrorInvalidValue;
}
/// The same for a `kernel<Contract, function>`.
template <class Contract, class... Parameter>
cudaError_t launch(contracted_kernel<Contract, Parameter...> const&, ...) {
  static_assert(detail::unfit_launch<Contract, void(Parameter...)>::holds());
  return cudaErrorInvalidValue;
}

// nvcc lists overloads from the last to the first, so those that are used most come last.

#if defined(__CUDACC__)
/// Calls a functor, or a `__device__` lambda, in a kernel with the contract's launch bounds: `functor(argument...)`,
/// with copies of the arguments.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Functor,
          class... Argument, detail::if_functor<Functor> = 0>
[[nodiscard]] cudaError_t launch(Functor functor, launch_options const& options, Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, Functor>);
  void* arguments[] = {std::addressof(functor), std::addressof(argument)...};
  void (*const kernel)(Functor, Argument...) = detail::run_functor<Contract, Functor, Argument...>;
  return detail::launch_function(detail::launched<Contract, Targets>, detail::address_of(kernel), options, arguments);
}
/// The same with only a grid and a stream, under a contract that fixes the block.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class Functor,
          class... Argument, detail::if_functor<Functor> = 0>
[[nodiscard]] cudaError_t launch(Functor functor, grid_size grid, cudaStream_t stream, Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, Functor>);
  static_assert(detail::fixes_block<Contract, Targets>);
  void* arguments[] = {std::addressof(functor), std::addressof(argument)...};
  void (*const kernel)(Functor, Argument...) = detail::run_functor<Contract, Functor, Argument...>;
  return detail::launch_function(detail::launched<Contract, Targets>, detail::address_of(kernel), {grid, stream},
                                 arguments);
}
#endif

#if CUDART_VERSION >= 12010
/// The same as below for kernels of a cudaLibrary_t. Their parameters are unknown to the compiler: the arguments must
/// have exactly their types. From CUDA 12.4 on, their number and sizes are checked at the first launch.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Argument>
[[nodiscard]] cudaError_t launch(cudaKernel_t kernel, launch_options const& options, Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_loaded(detail::launched<Contract, Targets>, detail::address_of(kernel), options,
                               detail::arguments_of<Argument...>, arguments);
}
/// The same with only a grid and a stream, under a contract that fixes the block.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Argument>
[[nodiscard]] cudaError_t launch(cudaKernel_t kernel, grid_size grid, cudaStream_t stream, Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, cudaKernel_t>);
  static_assert(detail::fixes_block<Contract, Targets>);
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_loaded(detail::launched<Contract, Targets>, detail::address_of(kernel), {grid, stream},
                               detail::arguments_of<Argument...>, arguments);
}
#endif

/// The same as below for an overload set, or a template whose arguments are not written: the one is launched whose
/// parameters have exactly the types of the arguments.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Argument>
[[nodiscard]] cudaError_t launch(void (*kernel)(Argument...), detail::options_of_deduced options,
                                 Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Argument...)>);
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_function(detail::launched<Contract, Targets>, detail::address_of(kernel), options.options,
                                 arguments);
}
/// The same with only a grid and a stream, under a contract that fixes the block.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Argument>
[[nodiscard]] cudaError_t launch(void (*kernel)(Argument...), grid_size grid, detail::stream_of_deduced stream,
                                 Argument... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Argument...)>);
  static_assert(detail::fixes_block<Contract, Targets>);
  void* arguments[sizeof...(Argument) + 1] = {std::addressof(argument)...};
  return detail::launch_function(detail::launched<Contract, Targets>, detail::address_of(kernel), {grid, stream.stream},
                                 arguments);
}

/// The same as below for a `kernel<Contract, function>`.
template <class Contract, class... Parameter>
[[nodiscard]] cudaError_t launch(contracted_kernel<Contract, Parameter...> const& kernel, launch_options const& options,
                                 typename detail::parameter<Parameter>::type... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function(detail::launched<Contract, build_target_list>, detail::address_of(kernel), options,
                                 arguments);
}
/// The same with only a grid and a stream, under a contract that fixes the block.
template <class Contract, class... Parameter>
[[nodiscard]] cudaError_t launch(contracted_kernel<Contract, Parameter...> const& kernel, grid_size grid,
                                 cudaStream_t stream, typename detail::parameter<Parameter>::type... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  static_assert(detail::fixes_block<Contract, build_target_list>);
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function(detail::launched<Contract, build_target_list>, detail::address_of(kernel),
                                 {grid, stream}, arguments);
}

/// Launches `kernel` on the current device, with the contract's block, dynamic shared memory and cluster, or with those
/// that `options` give where the contract leaves them to the launch. When it is compiled, it checks the contract on
/// every target. The first launch of a kernel on a device checks kernel and device, opts in to the shared memory that
/// the contract needs, and allocates some 500 bytes to remember that; later launches ask the runtime for the current
/// device and nothing else, unless they change the block or its bytes. A promised residency that the device misses is
/// reported and no error; see set_promise_handler(). Returns the runtime's status, or an error that why_refused()
/// explains; does not wait for the kernel. May be called from any thread; throws nothing. Leave `Targets` to its
/// default, the targets of this file.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
[[nodiscard]] cudaError_t launch(void (*kernel)(Parameter...), launch_options const& options,
                                 typename detail::parameter<Parameter>::type... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function(detail::launched<Contract, Targets>, detail::address_of(kernel), options, arguments);
}

/// The same with only a grid and a stream, under a contract that fixes the block.
template <class Contract = detail::unnamed_contract, class Targets = build_target_list, class... Parameter>
[[nodiscard]] cudaError_t launch(void (*kernel)(Parameter...), grid_size grid, cudaStream_t stream,
                                 typename detail::parameter<Parameter>::type... argument) {
  static_assert(detail::launch_guarantee<Contract, void(Parameter...)>);
  static_assert(detail::fixes_block<Contract, Targets>);
  void* arguments[sizeof...(Parameter) + 1] = {std::addressof(argument)...};
  return detail::launch_function(detail::launched<Contract, Targets>, detail::address_of(kernel), {grid, stream},
                                 arguments);
}

}  // namespace warpguard
