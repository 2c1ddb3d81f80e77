// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// reduce adds up an array. Warps add with shuffles and blocks with static shared memory. A second launch of one block
/// adds the sums of the blocks, so the result does not depend on the order of the blocks. Contract:
/// reduce_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: reduce   maxntid=512,1,1 minnctapersm=2 maxclusterrank=-

#include <algorithm>
#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "reduce_contract.hpp"

/// Returns the sum of the values of a warp in its first lane.
__device__ float sum_of_warp(float value) {
  constexpr unsigned all_lanes = 0xffffffff;
  for (int offset = reduce_warp_threads / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(all_lanes, value, static_cast<unsigned>(offset));
  }
  return value;
}

/// Block b writes the sum of its share of `values` to sums[b].
__global__ void WARPGUARD_LAUNCH_BOUNDS(reduce_contract) reduce(int n, float const* values, float* sums) {
  constexpr int warps = reduce_block_threads / reduce_warp_threads;
  static_assert(warps <= reduce_warp_threads, "the first warp adds one sum per lane");
  __shared__ reduce_shared shared;

  float sum = 0.0f;
  long long const stride = 1LL * gridDim.x * reduce_block_threads;
  for (long long i = 1LL * blockIdx.x * reduce_block_threads + threadIdx.x; i < n; i += stride) sum += values[i];

  unsigned const warp = threadIdx.x / reduce_warp_threads;
  unsigned const lane = threadIdx.x % reduce_warp_threads;
  sum = sum_of_warp(sum);
  if (lane == 0) shared.sum_of_warp[warp] = sum;
  __syncthreads();
  if (warp != 0) return;

  sum = sum_of_warp(lane < warps ? shared.sum_of_warp[lane] : 0.0f);
  if (lane == 0) sums[blockIdx.x] = sum;
}

namespace {

bool is_correct(int n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1f * static_cast<float>(i % 101) - 4.0f;

  unsigned const blocks = std::min(examples::blocks_for(n, reduce_block_threads), 1024u);
  examples::device_buffer<float> const device_values(values);
  examples::device_buffer<float> const sums(blocks);
  examples::device_buffer<float> const total(1);
  examples::check(wg::launch<reduce_contract>(reduce, blocks, nullptr, n, device_values.data(), sums.data()));
  examples::check(wg::launch<reduce_contract>(reduce, 1, nullptr, static_cast<int>(blocks), sums.data(), total.data()));

  double expected = 0.0;
  double magnitude = 0.0;
  for (float value : values) {
    expected += value;
    magnitude += std::abs(value);
  }
  return std::abs(total.to_host()[0] - expected) <= 1e-6 * magnitude;
}

}  // namespace

int main() {
  return examples::run("reduce",
                       [] { return is_correct(1) && is_correct(33) && is_correct(511) && is_correct(1000003); });
}
