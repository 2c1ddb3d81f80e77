// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A kernel that is better left free: a thread evaluates polynomials with 96 coefficients in registers. Forced to 6
/// blocks of 256 threads, ptxas has 40 registers to give and spills 164 bytes on 9.0; free, it takes 109 registers and
/// spills nothing (`-Xptxas -v` shows both). With no_forced_bounds the contract checks two blocks and leaves ptxas
/// alone.

// What the PTX says, which a test compares:
// ptx: free_bound   maxntid=256,1,1 minnctapersm=- maxclusterrank=-

#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>

#include "device.hpp"

namespace wg = warpguard;

constexpr int block_threads = 256;
constexpr int terms = 96;

struct free_bound_contract : wg::contract<wg::threads_per_block<block_threads>, wg::max_registers<128>,
                                          wg::min_blocks_per_sm<2>, wg::no_forced_bounds> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(free_bound_contract)
    free_bound(int n, float const* coefficients, float const* x, float* y) {
  float mine[terms];
#pragma unroll
  for (int i = 0; i < terms; ++i) mine[i] = coefficients[i];
  long long const stride = 1LL * gridDim.x * block_threads;
  for (long long i = 1LL * blockIdx.x * block_threads + threadIdx.x; i < n; i += stride) {
    float sum = 0.0f;
#pragma unroll
    for (int j = terms - 1; j >= 0; --j) sum = sum * x[i] + mine[j];
    y[i] = sum;
  }
}

namespace {

bool is_right(int n) {
  std::vector<float> coefficients(terms);
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < coefficients.size(); ++i) coefficients[i] = 0.1f * static_cast<float>(i % 13);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.009f * static_cast<float>(i % 101);
  examples::device_buffer<float> const device_coefficients(coefficients);
  examples::device_buffer<float> const device_x(x);
  examples::device_buffer<float> const device_y(x.size());
  dim3 grid;
  examples::check(wg::resident_grid<free_bound_contract>(free_bound, grid));
  examples::check(wg::launch<free_bound_contract>(free_bound, grid, nullptr, n, device_coefficients.data(),
                                                  device_x.data(), device_y.data()));
  std::vector<float> const y = device_y.to_host();
  for (std::size_t i = 0; i < y.size(); ++i) {
    double expected = 0.0;
    for (int j = terms - 1; j >= 0; --j) expected = expected * x[i] + coefficients[static_cast<std::size_t>(j)];
    if (!(std::abs(y[i] - expected) <= 1e-4 * (1.0 + expected))) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("free_bound", [] { return is_right(1) && is_right(1000003); });
}
