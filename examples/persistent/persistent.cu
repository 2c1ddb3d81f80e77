// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// persistent launches as many blocks as are resident on the GPU. Each block takes work from a queue until the queue is
/// empty; more blocks would only wait. The grid comes from resident_grid(), which queries the driver and checks the
/// contract. Contract: persistent_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: persistent   maxntid=128,1,1 minnctapersm=4 maxclusterrank=-

#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "persistent_contract.hpp"

constexpr int block_threads = persistent_block_threads;

/// Returns the steps of the Collatz sequence from `value` to 1, so that the amount of work varies.
__host__ __device__ int steps_of(long long value) {
  int steps = 0;
  for (; value != 1; ++steps) value = value % 2 == 0 ? value / 2 : 3 * value + 1;
  return steps;
}

/// `next` is unsigned because it ends above `n`: every block adds once more than there is work.
__global__ void WARPGUARD_LAUNCH_BOUNDS(persistent_contract) persistent(int n, unsigned* next, int* steps) {
  __shared__ unsigned first;
  auto const count = static_cast<unsigned>(n);
  for (;;) {
    if (threadIdx.x == 0) first = atomicAdd(next, static_cast<unsigned>(block_threads));
    __syncthreads();
    unsigned const i = first + threadIdx.x;
    bool const is_over = first >= count;
    __syncthreads();
    if (is_over) return;
    if (i < count) steps[i] = steps_of(1LL + i);
  }
}

namespace {

bool is_correct(int n) {
  examples::device_buffer<unsigned> const next(std::vector<unsigned>(1, 0u));
  examples::device_buffer<int> const steps(static_cast<std::size_t>(n));
  dim3 grid;
  examples::check(wg::resident_grid<persistent_contract>(persistent, grid));
  examples::check(wg::launch<persistent_contract>(persistent, grid, nullptr, n, next.data(), steps.data()));
  std::vector<int> const result = steps.to_host();
  for (int i = 0; i < n; ++i) {
    if (result[static_cast<std::size_t>(i)] != steps_of(i + 1)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("persistent", [] { return is_correct(1) && is_correct(129) && is_correct(1000000); });
}
