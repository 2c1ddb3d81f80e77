// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The launch that a contract describes: its block, its dynamic shared memory with the opt-in, its cluster. What the
/// contract does not know, the grid and the stream, is the caller's. Needs CUDA 11.8 or later.

#pragma once

#include <cuda_runtime.h>

#include "guard.hpp"

namespace warpguard {

namespace detail {

/// A kernel's parameter, deduced from the kernel alone: arguments convert to it at the caller's line.
template <class Parameter>
struct parameter {
  using type = Parameter;
};

/// What the contract says for the code that the runtime will pick on the current device: its `on<...>` go by the
/// architecture that the kernel was compiled for, as in the kernel itself, not by the device's.
template <class Contract>
cudaError_t terms_of_launch(void const* kernel, contract_terms& terms) {
  if constexpr (speaks_of_architectures(Contract::said, Contract::option_count)) {
    cudaFuncAttributes attributes{};
    if (cudaError_t const status = cudaFuncGetAttributes(&attributes, kernel); status != cudaSuccess) return status;
    terms = Contract::terms_on(attributes.ptxVersion);
  } else {
    static_cast<void>(kernel);
    constexpr contract_terms everywhere = Contract::terms_on(0);
    terms = everywhere;
  }
  return cudaSuccess;
}

/// What a kernel has to be allowed before its first launch.
inline cudaError_t opt_in(void const* kernel, contract_terms const& terms) {
  constexpr int without_opt_in = 48 * 1024;
  constexpr int portable_cluster = 8;
  if (terms.static_shared_memory + terms.dynamic_shared_memory > without_opt_in) {
    cudaError_t const status =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, terms.dynamic_shared_memory);
    if (status != cudaSuccess) return status;
  }
  if (terms.cluster_size > portable_cluster) {
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  }
  return cudaSuccess;
}

}  // namespace detail

/// Launches `kernel` on `grid` blocks of the contract's shape, with the contract's dynamic shared memory and cluster,
/// in `stream` on the current device. Opts in to more than 48 KiB of shared memory and to clusters of more than 8 where
/// the contract needs it. Checks the contract on every target. Returns what the runtime says; like every launch, it
/// does not wait for the kernel.
template <class Contract, class... Parameter>
cudaError_t launch(void (*kernel)(Parameter...), dim3 grid, cudaStream_t stream,
                   typename detail::parameter<Parameter>::type... argument) {
  static_assert(guarantee<Contract>);
  void const* const function = reinterpret_cast<void const*>(kernel);
  detail::contract_terms terms;
  if (cudaError_t const status = detail::terms_of_launch<Contract>(function, terms); status != cudaSuccess)
    return status;
  if (cudaError_t const status = detail::opt_in(function, terms); status != cudaSuccess) return status;

  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(terms.cluster_size);
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;

  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim =
      dim3(static_cast<unsigned>(terms.x), static_cast<unsigned>(terms.y), static_cast<unsigned>(terms.z));
  config.dynamicSmemBytes = static_cast<size_t>(terms.dynamic_shared_memory);
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = terms.cluster_size > 1 ? 1 : 0;

  void* arguments[sizeof...(Parameter) + 1] = {&argument...};
  return cudaLaunchKernelExC(&config, function, arguments);
}

}  // namespace warpguard
