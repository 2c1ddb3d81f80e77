// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// built_for_8_0 runs a kernel that is compiled for 8.0 alone on whatever GPU there is. The build
/// did not check the contract for a later one, so its first launch there reports the promise, and runs. Contract:
/// built_for_8_0_contract.hpp.

// The launch bounds in the PTX; a test checks this line:
// ptx: scale   maxntid=256,1,1 minnctapersm=6 maxclusterrank=-

#include <cstdio>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "built_for_8_0_contract.hpp"

__global__ void WARPGUARD_LAUNCH_BOUNDS(built_for_8_0_contract) scale(int n, float a, float* values) {
  long long const i = 1LL * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= a;
}

inline constexpr wg::kernel<built_for_8_0_contract, scale> scale_kernel;

namespace {

/// Is called once, before the first launch, if the GPU misses the promise or was not checked. Without a handler, a line
/// on stderr says the same.
void print(wg::promise_report const& report) {
  std::printf("built_for_8_0: code for %d.%d on %d.%d holds %d blocks per SM, and %d are promised\n",
              report.compiled_for / 10, report.compiled_for % 10, report.compute_capability / 10,
              report.compute_capability % 10, report.blocks, report.blocks_promised);
}

bool is_correct(int n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5f * static_cast<float>(i % 101);
  examples::device_buffer<float> const device_values(values);
  examples::check(wg::launch(scale_kernel, wg::for_items(n), nullptr, n, 3.0f, device_values.data()));
  std::vector<float> const result = device_values.to_host();
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] != 3.0f * values[i]) return false;
  }
  return true;
}

}  // namespace

int main() {
  wg::set_promise_handler(print);
  return examples::run("built_for_8_0", [] { return is_correct(1) && is_correct(257) && is_correct(1000003); });
}
