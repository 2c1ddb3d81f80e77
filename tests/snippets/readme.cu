// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/launch.cuh>

namespace wg = warpguard;

struct saxpy_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(saxpy_contract) saxpy(unsigned n, float a, float const* x, float* y) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

cudaError_t run_saxpy(unsigned n, float a, float const* x, float* y, cudaStream_t stream) {
  return wg::launch<saxpy_contract>(saxpy, wg::for_items(n), stream, n, a, x, y);
}

static_assert(wg::guarantee<saxpy_contract>);  // on every GPU of this build
static_assert(saxpy_contract::on_sm<wg::sm<90>>::blocks_per_sm == 6);
static_assert(wg::occupancy_of(wg::sm_86, {256, 40}).percent() == 100.0);
