// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Declares the dynamic shared memory of a block. CUDA compilers only; empty elsewhere.

#pragma once

#include "../../hardware/host_device.hpp"

#ifdef __CUDACC__
namespace warpguard::detail {

template <int Alignment>
struct alignas(Alignment) dynamic_memory_unit {
  unsigned char bytes[Alignment];
};

/// All of them begin at the same address. Each alignment has a name of its own, because nvcc gives a name the alignment
/// of its first declaration. The type states the alignment, because nvcc does not evaluate __align__ for each instance.
template <int Alignment>
extern __shared__ dynamic_memory_unit<Alignment> dynamic_memory[];

}  // namespace warpguard::detail
#endif
