// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// An example as a program for the CPU. `EXAMPLE` is the example's source, `KERNELS` are the kernels that it launches,
/// `__CUDA_ARCH__` is the architecture that it is compiled for, and `DEVICE` is that of the emulated GPU, 90 for 9.0.
/// After the example's main(), `CHECK`, the example's own check of a size n, is called with each of `SIZES`. Arguments
/// of the program are orders in which threads run, such as `reversed` or `shuffled:7`.

#include <cuda_runtime.h>  // first, as nvcc does

#include <cstdio>

#define main main_of_example
#include EXAMPLE
#undef main

namespace {
emulator::kernels const registered{KERNELS};

bool is_correct_in(char const* order) {
  emulator::set_order(order);
  std::printf("%s order: ", order);
  std::fflush(stdout);
  if (main_of_example() != 0) return false;
  for (int n : {SIZES}) {
    if (CHECK) continue;
    std::printf("%s order: WRONG on size %d\n", order, n);
    return false;
  }
  return true;
}
}  // namespace

int emulator::compute_capability() { return DEVICE; }
int emulator::compiled_for() { return __CUDA_ARCH__ / 10; }

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    if (!is_correct_in(arguments[i])) return 1;
  }
  return count > 1 ? 0 : 1;
}
