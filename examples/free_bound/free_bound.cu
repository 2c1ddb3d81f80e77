// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// free_bound and forced_bound evaluate polynomials with 96 coefficients, which each thread keeps in registers. For
/// free_bound ptxas may use as many registers as it needs. forced_bound is the same code with launch bounds that limit
/// the registers, so it spills. Contracts: free_bound_contract.hpp.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx: free_bound                                         maxntid=256,1,1 minnctapersm=- maxclusterrank=-
// ptx sm_75: forced_bound                                 maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: forced_bound maxntid=256,1,1 minnctapersm=6 maxclusterrank=-

#include <cmath>
#include <limits>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "free_bound_contract.hpp"

constexpr int block_threads = free_bound_block_threads;
constexpr int terms = free_bound_terms;

__device__ void evaluate(int n, float const* coefficients, float const* x, float* y) {
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

__global__ void WARPGUARD_LAUNCH_BOUNDS(free_bound_contract)
    free_bound(int n, float const* coefficients, float const* x, float* y) {
  evaluate(n, coefficients, x, y);
}

__global__ void WARPGUARD_LAUNCH_BOUNDS(forced_bound_contract)
    forced_bound(int n, float const* coefficients, float const* x, float* y) {
  evaluate(n, coefficients, x, y);
}

namespace {

using kernel = void (*)(int n, float const* coefficients, float const* x, float* y);

template <class Contract>
bool is_correct(kernel polynomials, int n) {
  std::vector<float> coefficients(terms);
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < coefficients.size(); ++i) coefficients[i] = 0.1f * static_cast<float>(1 + i % 13);
  // Up to 1.05, so that every coefficient changes some result by more than the tolerance.
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.0105f * static_cast<float>(i % 101);
  examples::device_buffer<float> const device_coefficients(coefficients);
  examples::device_buffer<float> const device_x(x);
  examples::device_buffer<float> const device_y(x.size());
  dim3 grid;
  examples::check(wg::resident_grid<Contract>(polynomials, grid));
  examples::check(wg::launch<Contract>(polynomials, grid, nullptr, n, device_coefficients.data(), device_x.data(),
                                       device_y.data()));
  std::vector<float> const y = device_y.to_host();
  for (std::size_t i = 0; i < y.size(); ++i) {
    double expected = 0.0;
    for (int j = terms - 1; j >= 0; --j) expected = expected * x[i] + coefficients[static_cast<std::size_t>(j)];
    // Each of the steps rounds at most twice. All terms are positive.
    double const tolerance = 2.0 * terms * std::numeric_limits<float>::epsilon() * expected;
    if (!(std::abs(y[i] - expected) <= tolerance)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("free_bound", [] {
    return is_correct<free_bound_contract>(free_bound, 1) && is_correct<free_bound_contract>(free_bound, 1000003) &&
           is_correct<forced_bound_contract>(forced_bound, 1000003);
  });
}
