// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What examples/ptx.hpp has, where kernels run on the CPU.

#pragma once

#include <cuda_runtime.h>

namespace ptx {

inline void bar_sync(int barrier, int threads) { emulator::wait_at_barrier(barrier, threads); }
inline void bar_arrive(int barrier, int threads) { emulator::arrive_at_barrier(barrier, threads); }

/// Checks what PTX requires of the number; all lanes of a warp execute it together.
template <int Registers>
void setmaxnreg() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0);
  emulator::wait_for_warp(0xffffffffu);
}
template <int Registers>
void setmaxnreg_dec() {
  setmaxnreg<Registers>();
}
template <int Registers>
void setmaxnreg_inc() {
  setmaxnreg<Registers>();
}

}  // namespace ptx
