// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares the host time of launch() with that of cudaLaunchKernelExC() written by hand, for an empty kernel. Prints
/// the medians of alternating rounds in nanoseconds. Without a GPU it prints SKIPPED.

#include <cstdio>
#include <vector>
#include <warpguard/launch.cuh>

#include "../benchmark/launch_time.hpp"

namespace wg = warpguard;

namespace {

__global__ void WARPGUARD_LAUNCH_BOUNDS(timed_contract) empty(int, float*) {}

cudaError_t by_hand(int n, float* values) { return launch_by_hand(empty, n, values); }
cudaError_t by_contract(int n, float* values) { return wg::launch<timed_contract>(empty, dim3(1), nullptr, n, values); }

/// Makes fewer launches than the stream's queue holds, so that no launch waits.
template <class Launch>
double time_from_idle(Launch launch, cudaError_t& status) {
  if (cudaError_t const now = cudaDeviceSynchronize(); now != cudaSuccess) status = now;
  return time_of(launch, 200, status);
}

}  // namespace

int main() {
  int devices = 0;
  cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    std::printf("SKIPPED: no GPU\n");
    return 0;
  }
  if (status == cudaSuccess) status = by_contract(0, nullptr);  // opts in to 60 KiB for both kinds of launch
  std::vector<double> hand;
  std::vector<double> contract;
  for (int round = 0; round < 501 && status == cudaSuccess; ++round) {
    hand.push_back(time_from_idle(by_hand, status));
    contract.push_back(time_from_idle(by_contract, status));
  }
  if (status != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(status));
    return 1;
  }
  std::printf("by hand %.0f ns, by contract %.0f ns, %+.2f %%\n", median(hand), median(contract),
              100.0 * (median(contract) / median(hand) - 1.0));
  return 0;
}
