// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What the benchmarks of launch() with and without a GPU share: the contract, the launch by hand, and the measurement
/// of time.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <vector>
#include <warpguard/contract.hpp>

struct timed_contract
    : warpguard::contract<warpguard::threads_per_block<128>, warpguard::max_registers<32>,
                          warpguard::dynamic_shared_memory<60 * 1024>, warpguard::min_blocks_per_sm<1>> {};

/// Launches the kernel as wg::launch<timed_contract>() does, without its checks.
inline cudaError_t launch_by_hand(void (*kernel)(int, float*), int n, float* values) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = 60 * 1024;
  void* arguments[] = {&n, &values};
  return cudaLaunchKernelExC(&config, reinterpret_cast<void const*>(kernel), arguments);
}

/// Returns the nanoseconds of host time per launch. Sets `status` to the last error, if any.
template <class Launch>
double time_of(Launch launch, int launches, cudaError_t& status) {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) {
    if (cudaError_t const now = launch(i, nullptr); now != cudaSuccess) status = now;
  }
  std::chrono::duration<double, std::nano> const passed = std::chrono::steady_clock::now() - start;
  return passed.count() / launches;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
