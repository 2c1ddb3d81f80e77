// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Measures the host time of launch() in nanoseconds with a runtime that does nothing (idle_runtime.cpp), and that of
/// cudaLaunchKernelExC() written by hand in the same run. Prints the medians of alternating rounds. A real runtime adds
/// its own time to both, and launch() calls cudaGetDevice() in addition: tests/gpu/launch_overhead.cu measures that on
/// a GPU.

#include <cstdio>
#include <vector>
#include <warpguard/launch.cuh>

#include "launch_time.hpp"

namespace wg = warpguard;

namespace {

struct per_gpu_contract : wg::contract<wg::threads_per_block<128>, wg::max_registers<32>, wg::min_blocks_per_sm<1>,
                                       wg::on<wg::sm<90>, wg::dynamic_shared_memory<100 * 1024>>> {};

struct chosen_contract : wg::contract<wg::max_threads_per_block<512>, wg::max_dynamic_shared_memory<60 * 1024>,
                                      wg::max_registers<32>, wg::min_blocks_per_sm<1>> {};

void kernel(int, float*) {}

cudaError_t by_hand(int n, float* values) { return launch_by_hand(kernel, n, values); }
template <class Contract>
cudaError_t by_contract(int n, float* values) {
  return wg::launch<Contract>(kernel, dim3(1), nullptr, n, values);
}

cudaError_t by_options(int n, float* values) {
  return wg::launch<chosen_contract>(kernel, {1, 128, 60 * 1024}, n, values);
}

constexpr int launches = 100000;

}  // namespace

int main() {
  cudaError_t status = cudaSuccess;
  std::vector<double> hand;
  std::vector<double> plain;
  std::vector<double> per_gpu;
  std::vector<double> chosen;
  for (int round = 0; round < 51; ++round) {
    hand.push_back(time_of(by_hand, launches, status));
    plain.push_back(time_of(by_contract<timed_contract>, launches, status));
    per_gpu.push_back(time_of(by_contract<per_gpu_contract>, launches, status));
    chosen.push_back(time_of(by_options, launches, status));
  }
  std::printf(
      "host time of a launch: by hand %.1f ns, by contract %.1f ns, with on<...> %.1f ns, with chosen block and bytes "
      "%.1f ns\n",
      median(hand), median(plain), median(per_gpu), median(chosen));
  return status == cudaSuccess ? 0 : 1;
}
