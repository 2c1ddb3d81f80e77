// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// tuned_reduce adds up an array in tiles whose size is tuned for each architecture and element type. The kernel asks
/// the tuning of the architecture that it is compiled for, and the host asks what a launch uses on the device. Contract
/// and tuning: tuned_reduce_contract.hpp.

// The launch bounds in the PTX of each architecture; a test checks these lines:
// ptx sm_75: tuned_reduce<float>                                     maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_75: tuned_reduce<double>                                    maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: tuned_reduce<float>     maxntid=512,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_80 sm_86 sm_89 sm_90 sm_100 sm_120: tuned_reduce<double>    maxntid=512,1,1 minnctapersm=2 maxclusterrank=-

#include <cmath>
#include <limits>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "tuned_reduce_contract.hpp"

/// Writes the sum of each block's tiles.
template <class Element>
__global__ void WARPGUARD_LAUNCH_BOUNDS(tuned_reduce_contract<Element>)
    tuned_reduce(long long n, Element const* in, Element* sums) {
  using tuning = reduce_tuning<Element>;
  constexpr int threads = tuning::template threads<wg::this_sm>;
  constexpr int items = tuning::template items<wg::this_sm>;
  constexpr int warps = threads / 32;
  constexpr long long tile = 1LL * threads * items;
  __shared__ Element partial[warps];

  Element sum = 0;
  for (long long first = tile * blockIdx.x; first < n; first += tile * gridDim.x) {
    Element values[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      long long const at = first + 1LL * i * threads + threadIdx.x;
      values[i] = at < n ? in[at] : Element(0);
    }
#pragma unroll
    for (int i = 0; i < items; ++i) sum += values[i];
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, static_cast<unsigned>(lanes));
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int warp = 1; warp < warps; ++warp) sum += partial[warp];
    sums[blockIdx.x] = sum;
  }
}

template <class Element>
inline constexpr wg::kernel<tuned_reduce_contract<Element>, tuned_reduce<Element>> tuned_reduce_kernel;

namespace {

template <class Element>
bool is_correct(int n) {
  std::vector<Element> in(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = Element(0.25) + Element(0.125) * static_cast<Element>(i % 61);
  examples::device_buffer<Element> const device_in(in);

  // As many blocks as are resident; they share the tiles. The host need not know how large a tile is.
  dim3 grid;
  examples::check(wg::resident_grid(tuned_reduce_kernel<Element>, grid));
  examples::device_buffer<Element> const sums(grid.x);
  examples::check(wg::launch(tuned_reduce_kernel<Element>, grid, nullptr, n, device_in.data(), sums.data()));

  double result = 0.0;
  for (Element const sum : sums.to_host()) result += sum;
  double expected = 0.0;
  for (Element const value : in) expected += value;
  return std::abs(result - expected) <= 64.0 * std::numeric_limits<Element>::epsilon() * expected;
}

}  // namespace

int main() {
  return examples::run("tuned_reduce", [] {
    return is_correct<float>(1) && is_correct<float>(8193) && is_correct<float>(1000003) && is_correct<double>(1) &&
           is_correct<double>(4097) && is_correct<double>(1000003);
  });
}
