// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The code of docs/varying.md.

#include <warpguard/launch.cuh>

namespace wg = warpguard;

struct sum_contract : wg::contract<wg::max_threads_per_block<512>, wg::min_threads_per_block<64>, wg::max_registers<32>,
                                   wg::dynamic_shared_memory_per_thread<sizeof(float)>, wg::min_occupancy<50>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(sum_contract) sum(int n, float const* in, float* out) {
  extern __shared__ float partial[];
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < static_cast<unsigned>(n) ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

struct buffer_contract : wg::contract<wg::threads_per_block<256>, wg::max_dynamic_shared_memory<16 * 1024>,
                                      wg::max_registers<40>, wg::min_blocks_per_sm<4>> {};

template <class Architecture>
inline constexpr int stages_on = Architecture::compute_capability >= 80 ? 3 : 2;
template <class Architecture>
using pipeline_memory_on = wg::dynamic_shared_memory<stages_on<Architecture> * 16 * 1024>;

struct pipeline_contract : wg::contract<wg::threads_per_block<256>, wg::on_each<pipeline_memory_on>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(pipeline_contract) pipeline(float* values) {
  extern __shared__ float stages[];
  for (int stage = 0; stage < stages_on<wg::this_sm>; ++stage) stages[4096 * stage + threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = stages[threadIdx.x ^ 1u];
}

struct filter_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::min_blocks_per_sm<2>,
                                      wg::on_from<wg::sm<80>, wg::min_blocks_per_sm<4>>,  // 8.0 and later
                                      wg::on<wg::sm<90>, wg::max_registers<40>, wg::min_blocks_per_sm<6>>> {};

struct small_filter_contract : wg::contract_from<filter_contract, wg::threads_per_block<128>> {};

struct one_block_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<200>, wg::min_registers<129>,
                                         wg::exactly_blocks_per_sm<1>> {};

static_assert(wg::guarantee<sum_contract> && wg::guarantee<buffer_contract> && wg::guarantee<filter_contract> &&
              wg::guarantee<small_filter_contract> && wg::guarantee<one_block_contract>);
