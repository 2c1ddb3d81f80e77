// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// saxpy computes y = a * x + y with a grid-stride loop. It is the smallest example: the contract sets the launch
/// bounds and the block, and the caller sets the grid. Contract: saxpy_contract.hpp.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: saxpy                maxntid=256,1,1 minnctapersm=3 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: saxpy   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: saxpy   maxntid=256,1,1 minnctapersm=5 maxclusterrank=-

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "saxpy_contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(saxpy_contract) saxpy(int n, float a, float const* x, float* y) {
  long long const stride = 1LL * gridDim.x * saxpy_block_threads;
  for (long long i = 1LL * blockIdx.x * saxpy_block_threads + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + y[i];
}

namespace {

bool is_correct(int n) {
  float const a = 2.5f;
  std::vector<float> x(static_cast<std::size_t>(n));
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.1f * static_cast<float>(i % 101);
    y[i] = 5.0f - 0.3f * static_cast<float>(i % 37);
  }
  examples::device_buffer<float> const device_x(x);
  examples::device_buffer<float> const device_y(y);

  // At most 1024 blocks, so that threads process several elements of the largest array.
  dim3 const grid(std::min(examples::blocks_for(n, saxpy_block_threads), 1024u));
  examples::check(wg::launch<saxpy_contract>(saxpy, grid, nullptr, n, a, device_x.data(), device_y.data()));

  // The GPU rounds once with a fused multiply-add, or twice without.
  std::vector<float> const result = device_y.to_host();
  for (std::size_t i = 0; i < result.size(); ++i) {
    double const product = 1.0 * a * x[i];
    double const tolerance = std::numeric_limits<float>::epsilon() * (std::abs(product) + std::abs(y[i]));
    if (!(std::abs(result[i] - (product + y[i])) <= tolerance)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("saxpy",
                       [] { return is_correct(1) && is_correct(255) && is_correct(4096) && is_correct(1000003); });
}
