// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What launch() costs over a cudaLaunchKernelExC() written by hand: nanoseconds of host time per launch of an empty
/// kernel, medians of alternating rounds. Says that it skipped where there is no GPU.

#include <cstdio>
#include <vector>
#include <warpguard/launch.cuh>

#include "../benchmark/launch_time.hpp"

namespace wg = warpguard;

namespace {

struct empty_contract : wg::contract<wg::threads_per_block<128>, wg::max_registers<32>,
                                     wg::dynamic_shared_memory<60 * 1024>, wg::min_blocks_per_sm<1>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(empty_contract) empty(int, float*) {}

cudaError_t by_hand(int n, float* values) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = 60 * 1024;
  void* arguments[] = {&n, &values};
  return cudaLaunchKernelExC(&config, reinterpret_cast<void const*>(empty), arguments);
}
cudaError_t by_contract(int n, float* values) { return wg::launch<empty_contract>(empty, dim3(1), nullptr, n, values); }

/// Fewer launches than a stream's queue holds, so that none of them waits.
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
  if (status == cudaSuccess) status = by_contract(0, nullptr);  // the opt-in, for both
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
