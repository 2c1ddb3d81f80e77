// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A library of element-wise kernels, as there are hundreds of: each operation, for each type and each number of
/// elements per thread.

#pragma once

#include <cuda_runtime.h>

template <class Operation, class Element, int PerThread>
__global__ void map(int n, Element const* in, Element* out) {
  int const first = static_cast<int>(blockIdx.x * blockDim.x * PerThread + threadIdx.x);
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    int const i = first + k * static_cast<int>(blockDim.x);
    if (i < n) out[i] = Operation::apply(in[i]);
  }
}

#define INSTANTIATE(Operation, Element)                                               \
  template __global__ void map<Operation, Element, 1>(int, Element const*, Element*); \
  template __global__ void map<Operation, Element, 2>(int, Element const*, Element*); \
  template __global__ void map<Operation, Element, 4>(int, Element const*, Element*); \
  template __global__ void map<Operation, Element, 8>(int, Element const*, Element*); \
  template __global__ void map<Operation, Element, 16>(int, Element const*, Element*);

#define OPERATION(name, expression)              \
  struct name {                                  \
    template <class Element>                     \
    __device__ static Element apply(Element x) { \
      return static_cast<Element>(expression);   \
    }                                            \
  };                                             \
  INSTANTIATE(name, float)                       \
  INSTANTIATE(name, double)                      \
  INSTANTIATE(name, int)                         \
  INSTANTIATE(name, short)
