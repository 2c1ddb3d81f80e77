// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The time of launches, for the benchmarks with and without a GPU.

#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <vector>

/// Nanoseconds of host time per launch; `status` is the last error, if there was one.
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
