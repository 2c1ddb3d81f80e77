// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// histogram counts bytes. Every warp has its own bins, so that warps do not wait for each other's atomics. Contract:
/// histogram_contract.hpp.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: histogram                maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: histogram   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: histogram   maxntid=256,1,1 minnctapersm=3 maxclusterrank=-

#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "histogram_contract.hpp"

constexpr int bins = histogram_bins;
constexpr int block_threads = histogram_block_threads;
constexpr int warps = histogram_warps;

__global__ void WARPGUARD_LAUNCH_BOUNDS(histogram_contract)
    histogram(int n, unsigned char const* values, unsigned* counts) {
  static_assert(bins == block_threads, "each thread clears and adds up the bin of its own number");
  __shared__ histogram_layout::storage memory;
  unsigned(*const mine)[bins] = histogram_layout::get<bins_of_warp>(&memory);
  for (int warp = 0; warp < warps; ++warp) mine[warp][threadIdx.x] = 0;
  __syncthreads();
  long long const stride = 1LL * gridDim.x * block_threads;
  for (long long i = 1LL * blockIdx.x * block_threads + threadIdx.x; i < n; i += stride) {
    atomicAdd(&mine[threadIdx.x / 32][values[i]], 1u);
  }
  __syncthreads();
  unsigned sum = 0;
  for (int warp = 0; warp < warps; ++warp) sum += mine[warp][threadIdx.x];
  if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);
}

namespace {

bool is_correct(int n) {
  std::vector<unsigned char> values(static_cast<std::size_t>(n));
  std::vector<unsigned> expected(bins);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<unsigned char>(i * i / 7 + i);
    ++expected[values[i]];
  }
  examples::device_buffer<unsigned char> const device_values(values);
  examples::device_buffer<unsigned> const counts(std::vector<unsigned>(bins, 0u));
  dim3 grid;
  examples::check(wg::resident_grid<histogram_contract>(histogram, grid));
  examples::check(wg::launch<histogram_contract>(histogram, grid, nullptr, n, device_values.data(), counts.data()));
  return counts.to_host() == expected;
}

}  // namespace

int main() {
  return examples::run("histogram", [] { return is_correct(1) && is_correct(255) && is_correct(1000003); });
}
