// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// warp_specialised computes y = f(x) with a producer and two consumers, three groups of 128 threads. The producer
/// loads tiles into a pipeline in shared memory and releases registers with setmaxnreg. The consumers acquire these
/// registers and compute. For compute capability 9.0a. Contract: warp_specialised_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: warp_specialised   maxntid=384,1,1 minnctapersm=1 maxclusterrank=-

#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "../ptx.hpp"
#include "warp_specialised_contract.hpp"

constexpr int group_threads = warp_specialised_group_threads;
constexpr int stages = warp_specialised_stages;
constexpr int tile = warp_specialised_tile;

/// Named barriers: 1 to 4 for a full stage, 5 to 8 for an empty one. The numbers are known only at run time, so ptxas
/// counts all 16 barriers.
__device__ void wait_for(int barrier) { ptx::bar_sync(barrier, 3 * group_threads); }
__device__ void arrive_at(int barrier) { ptx::bar_arrive(barrier, 3 * group_threads); }

__global__ void WARPGUARD_LAUNCH_BOUNDS(warp_specialised_contract) warp_specialised(int n, float const* x, float* y) {
  unsigned char* const memory = warp_specialised_layout::dynamic_memory();
  int const lane = static_cast<int>(threadIdx.x) % group_threads;
  int const group = static_cast<int>(threadIdx.x) / group_threads;
  long long const all_tiles = 1LL * gridDim.x * tile;
  int step = 0;
  if (group == 0) {
    ptx::setmaxnreg_dec<warp_specialised_producer_registers>();
    for (long long first = 1LL * blockIdx.x * tile; first < n; first += all_tiles) {
      int const stage = step % stages;
      if (step >= stages) wait_for(5 + stage);
      float* const values = warp_specialised_layout::get<tile_of_x>(memory, stage);
      for (int i = lane; i < tile && first + i < n; i += group_threads) values[i] = x[first + i];
      __threadfence_block();
      arrive_at(1 + stage);
      ++step;
    }
    // Wait for the last arrivals of the consumers, because no barrier may be incomplete when the block ends.
    for (int i = step < stages ? 0 : step - stages; i < step; ++i) wait_for(5 + i % stages);
  } else {
    ptx::setmaxnreg_inc<warp_specialised_consumer_registers>();
    for (long long first = 1LL * blockIdx.x * tile; first < n; first += all_tiles) {
      int const stage = step % stages;
      wait_for(1 + stage);
      float const* const values = warp_specialised_layout::get<tile_of_x>(memory, stage);
      for (int i = (group - 1) * group_threads + lane; i < tile && first + i < n; i += 2 * group_threads) {
        y[first + i] = values[i] * values[i] + 1.0f;
      }
      arrive_at(5 + stage);
      ++step;
    }
  }
}

namespace {

bool is_correct(int n) {
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.5f * static_cast<float>(i % 101);
  examples::device_buffer<float> const device_x(x);
  examples::device_buffer<float> const device_y(x.size());
  dim3 grid;
  examples::check(wg::resident_grid<warp_specialised_contract>(warp_specialised, grid));
  examples::check(
      wg::launch<warp_specialised_contract>(warp_specialised, grid, nullptr, n, device_x.data(), device_y.data()));
  std::vector<float> const y = device_y.to_host();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(std::abs(y[i] - (x[i] * x[i] + 1.0f)) <= 1e-3f)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run(
      "warp_specialised", [] { return is_correct(1) && is_correct(8193) && is_correct(20000003); }, 90);
}
