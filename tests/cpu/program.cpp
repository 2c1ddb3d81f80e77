// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// An example as a program for the CPU. `EXAMPLE` is the example's source, `KERNELS` are the kernels that it launches,
/// and `__CUDA_ARCH__` is the architecture that it is compiled for and that the emulated GPU has. Arguments are orders
/// in which threads run, such as `reversed` or `shuffled:7`; without arguments there are three.

#include <cuda_runtime.h>  // first, as nvcc does

#include <cstdio>

#define main main_of_example
#include EXAMPLE
#undef main

namespace {
emulator::kernels const registered{KERNELS};

bool runs_in(char const* order) {
  emulator::set_order(order);
  std::printf("%s order: ", order);
  std::fflush(stdout);
  return main_of_example() == 0;
}
}  // namespace

int emulator::compute_capability() { return __CUDA_ARCH__ / 10; }

int main(int count, char** arguments) {
  if (count == 1) return runs_in("forward") && runs_in("reversed") && runs_in("shuffled:1") ? 0 : 1;
  for (int i = 1; i < count; ++i) {
    if (!runs_in(arguments[i])) return 1;
  }
  return 0;
}
