// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Instructions of PTX that CUDA C++ has no function for. All the examples' inline PTX is here, because tests run the
/// examples on the CPU too (tests/cpu).

#pragma once

#ifdef WARPGUARD_ON_CPU
#include <ptx_on_cpu.hpp>
#else

namespace ptx {

/// Waits at a named barrier, 0 to 15, until `threads` threads of the block have arrived. If the number of the barrier
/// is known only at run time, ptxas counts all 16.
__device__ inline void bar_sync(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
/// Arrives at a named barrier and does not wait.
__device__ inline void bar_arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/// Changes the registers of each thread of the warp to `Registers`: a multiple of 8 from 24 to 256. For 9.0a and later.
template <int Registers>
__device__ void setmaxnreg_dec() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ void setmaxnreg_inc() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

}  // namespace ptx

#endif
