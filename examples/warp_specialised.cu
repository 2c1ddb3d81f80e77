// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// warp_specialised, y = f(x) with a producer and two consumers: of three groups of 128 threads the first loads tiles
/// into a pipeline in shared memory and gives its registers back with setmaxnreg, the others compute and take them. The
/// 384 threads start with 168 registers each, 64512 of the SM's 65536; 40 + 2 * 232 per lane of three groups are 504,
/// as 3 * 168 were. That adds up for one block on an SM, and the contract says exactly one. For compute
/// capability 9.0a.

// What the PTX says, which a test compares:
// ptx: warp_specialised   maxntid=384,1,1 minnctapersm=1 maxclusterrank=-

#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>
#include <warpguard/shared_layout.hpp>

#include "device.hpp"

namespace wg = warpguard;

constexpr int group_threads = 128;
constexpr int stages = 4;
constexpr int tile = 8192;
struct tile_of_x;
using pipeline_layout =
    wg::shared_layout<wg::staged<stages, wg::shared_array<tile_of_x, float, tile, wg::bulk_copy_alignment>>>;

struct warp_specialised_contract
    : wg::contract<wg::threads_per_block<3 * group_threads>, wg::max_registers<168>, wg::barriers<16>,
                   wg::dynamic_shared_memory_of<pipeline_layout>, wg::exactly_blocks_per_sm<1>> {};
static_assert(40 + 2 * 232 <= 3 * 168, "setmaxnreg gives out what the block started with");

#ifdef __CUDA_ARCH__
/// Named barriers: 1 to 4, a stage is full; 5 to 8, it is empty. Numbered at run time, so that ptxas counts all 16.
__device__ void wait_for(int barrier) { asm volatile("bar.sync %0, 384;" ::"r"(barrier) : "memory"); }
__device__ void arrive_at(int barrier) { asm volatile("bar.arrive %0, 384;" ::"r"(barrier) : "memory"); }
#endif

__global__ void WARPGUARD_LAUNCH_BOUNDS(warp_specialised_contract) warp_specialised(int n, float const* x, float* y) {
#ifdef __CUDA_ARCH__
  extern __shared__ __align__(128) unsigned char memory[];
  int const lane = static_cast<int>(threadIdx.x) % group_threads;
  int const group = static_cast<int>(threadIdx.x) / group_threads;
  int step = 0;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    for (int first = static_cast<int>(blockIdx.x) * tile; first < n; first += static_cast<int>(gridDim.x) * tile) {
      int const stage = step % stages;
      if (step >= stages) wait_for(5 + stage);
      float* const values = pipeline_layout::get<tile_of_x>(memory, stage);
      for (int i = lane; i < tile && first + i < n; i += group_threads) values[i] = x[first + i];
      __threadfence_block();
      arrive_at(1 + stage);
      ++step;
    }
    // What the consumers still arrive at: a barrier must not be left half full.
    for (int i = step < stages ? 0 : step - stages; i < step; ++i) wait_for(5 + i % stages);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    for (int first = static_cast<int>(blockIdx.x) * tile; first < n; first += static_cast<int>(gridDim.x) * tile) {
      int const stage = step % stages;
      wait_for(1 + stage);
      float const* const values = pipeline_layout::get<tile_of_x>(memory, stage);
      for (int i = (group - 1) * group_threads + lane; i < tile && first + i < n; i += 2 * group_threads) {
        y[first + i] = values[i] * values[i] + 1.0f;
      }
      arrive_at(5 + stage);
      ++step;
    }
  }
#endif
}

namespace {

bool is_right(int n) {
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
  return examples::run("warp_specialised", [] { return is_right(1) && is_right(8193) && is_right(20000003); });
}
