// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares the arguments of a launch with the parameters of a cudaKernel_t, which the compiler does not know: how many
/// and how large they are. From CUDA 12.4 on the runtime tells.

#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "../launch_refusal.cuh"
#include "prepared_kernels.cuh"
#include "shared_state.cuh"

namespace warpguard::detail {

/// The sizes of arguments, in bytes.
struct argument_list {
  std::size_t const* sizes;
  unsigned count;
};
template <class... Argument>
inline constexpr std::size_t argument_sizes[sizeof...(Argument) + 1] = {sizeof(Argument)..., 0};
template <class... Argument>
inline constexpr argument_list arguments_of{argument_sizes<Argument...>, sizeof...(Argument)};

#if CUDART_VERSION >= 12040

/// Whether a kernel has more parameters than there are arguments. The runtime answers that with an error, which would
/// then be its last one: so it is not asked while the program has yet to read another.
inline bool has_more_parameters(void const* kernel, unsigned count) {
  if (cudaPeekAtLastError() != cudaSuccess) return false;
  std::size_t offset = 0;
  std::size_t size = 0;
  if (cudaFuncGetParamInfo(kernel, count, &offset, &size) == cudaSuccess) return true;
  static_cast<void>(cudaGetLastError());
  return false;
}

inline bool do_arguments_fit(void const* kernel, argument_list const& arguments) {
  for (unsigned index = 0; index < arguments.count; ++index) {
    std::size_t offset = 0;
    std::size_t size = 0;
    cudaError_t const status = cudaFuncGetParamInfo(kernel, index, &offset, &size);
    if (status == cudaErrorInvalidValue || (status == cudaSuccess && size != arguments.sizes[index])) return false;
    if (status != cudaSuccess) return true;  // a driver that does not tell
  }
  return !has_more_parameters(kernel, arguments.count);
}

/// Checks arguments once, as long as they keep their types.
inline launch_refusal find_argument_refusal(prepared_kernel const& kernel, argument_list const& arguments) {
  if (kernel.checked_arguments.load(std::memory_order_relaxed) == &arguments) return launch_refusal::none;
  if (!do_arguments_fit(kernel.kernel, arguments)) return launch_refusal::kernel_parameters;
  kernel.checked_arguments.store(&arguments, std::memory_order_relaxed);
  return launch_refusal::none;
}

#else

inline launch_refusal find_argument_refusal(prepared_kernel const&, argument_list const&) {
  return launch_refusal::none;
}

#endif

}  // namespace warpguard::detail
