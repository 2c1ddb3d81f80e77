// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "contracts.hpp"

namespace app {

#if defined(VARIANT_more_registers) || defined(VARIANT_spilling)
constexpr int live = 36;
#else
constexpr int live = 8;
#endif

#if defined(VARIANT_spilling)
#define BOUNDS __launch_bounds__(128, 16)
#else
#define BOUNDS WARPGUARD_LAUNCH_BOUNDS(sum_contract)
#endif

#if !defined(VARIANT_deleted)
__global__ void BOUNDS sum(int n, float const* in, float* out) {
  __shared__ float shared[128];
  float values[live];
#pragma unroll
  for (int i = 0; i < live; ++i) values[i] = in[i * n + static_cast<int>(threadIdx.x)];
  shared[threadIdx.x] = values[0];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < live; ++i)
    out[i * n + static_cast<int>(threadIdx.x)] = values[i] * shared[i] + values[live - 1 - i];
}
#endif

template <int Factor, class T>
__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) scale(T* x) {
  x[threadIdx.x] *= Factor;
}

template <class Function>
__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) apply(Function f, int* x) {
  x[threadIdx.x] = f(x[threadIdx.x]);
}

namespace {
__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) hidden(int* x) { x[threadIdx.x] = 1; }
}  // namespace

}  // namespace app

extern "C" __global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) plain(int* x) { x[threadIdx.x] = 2; }
static __global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) local(int* x) { x[threadIdx.x] = 3; }

void launch(float* f, int* i) {
  app::scale<2, float><<<1, 64>>>(f);
  app::scale<3, int><<<1, 64>>>(i);
  app::apply<<<1, 64>>>([] __device__(int value) { return value + 1; }, i);
  app::hidden<<<1, 64>>>(i);
  local<<<1, 64>>>(i);
}
