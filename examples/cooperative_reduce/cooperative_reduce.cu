// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// cooperative_reduce adds up an array in one launch. All blocks write their sums and wait for each other; then the
/// first block adds the sums. For this every block must be resident: the cooperative launch requires it, and
/// resident_grid() returns such a grid. Contract: cooperative_reduce_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: cooperative_reduce   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-

#include <cooperative_groups.h>

#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "cooperative_reduce_contract.hpp"

constexpr int block_threads = cooperative_reduce_block_threads;

/// Returns the sum of the values of the block in its first thread.
__device__ float sum_of_block(float value, float* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = block_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

__global__ void WARPGUARD_LAUNCH_BOUNDS(cooperative_reduce_contract)
    cooperative_reduce(int n, float const* values, float* sums) {
  __shared__ float shared[block_threads];
  float sum = 0.0f;
  long long const stride = 1LL * gridDim.x * block_threads;
  for (long long i = 1LL * blockIdx.x * block_threads + threadIdx.x; i < n; i += stride) sum += values[i];
  sum = sum_of_block(sum, shared);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x != 0) return;
  sum = 0.0f;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += block_threads) sum += sums[i];
  sum = sum_of_block(sum, shared);
  if (threadIdx.x == 0) sums[0] = sum;
}

namespace {

bool is_correct(int n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  double expected = 0.0;
  double magnitude = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 0.1f * static_cast<float>(i % 101) - 4.0f;
    expected += values[i];
    magnitude += std::abs(values[i]);
  }
  dim3 grid;
  examples::check(wg::resident_grid<cooperative_reduce_contract>(cooperative_reduce, grid));
  wg::launch_options options{grid};
  options.cooperative = true;
  examples::device_buffer<float> const device_values(values);
  examples::device_buffer<float> const sums(grid.x);
  examples::check(
      wg::launch<cooperative_reduce_contract>(cooperative_reduce, options, n, device_values.data(), sums.data()));
  return std::abs(sums.to_host()[0] - expected) <= 1e-5 * magnitude;
}

}  // namespace

int main() {
  return examples::run("cooperative_reduce", [] { return is_correct(1) && is_correct(257) && is_correct(1000003); });
}
