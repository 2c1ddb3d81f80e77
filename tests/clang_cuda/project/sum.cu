// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "contract.hpp"

// clang before 22 does not list what it compiles for; warpguard's CMake target does.
static_assert(wg::build_target_list::count == 2);
static_assert(wg::build_target_list::contains(75) && wg::build_target_list::contains(80));

__global__ void WARPGUARD_LAUNCH_BOUNDS(sum_contract) sum(int n, float const* in, float* out) {
  float total = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) {
    total += in[i];
  }
  atomicAdd(out, total);
}
