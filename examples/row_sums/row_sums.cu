// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// row_sums adds up each row of a matrix, one block per row. The host chooses the block by the number of columns, and
/// with it the shared memory. Contract: row_sums_contract.hpp.

// The launch bounds in the PTX of each architecture, those of the largest block; a test checks these lines:
// ptx sm_75: row_sums                     maxntid=512,1,1 minnctapersm=1 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: row_sums        maxntid=512,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: row_sums        maxntid=512,1,1 minnctapersm=2 maxclusterrank=-

#include <cmath>
#include <limits>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "row_sums_contract.hpp"

/// The block has a power of two of threads, and each of them one element of shared memory.
__global__ void WARPGUARD_LAUNCH_BOUNDS(row_sums_contract) row_sums(int columns, float const* in, float* out) {
  extern __shared__ float partial[];
  float const* const row = in + 1LL * blockIdx.x * columns;
  float sum = 0.0f;
  for (long long i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

inline constexpr wg::kernel<row_sums_contract, row_sums> row_sums_kernel;

namespace {

/// Returns the smallest block that has a thread for each column, within the contract's limits.
int block_for(int columns) {
  int threads = row_sums_least_threads;
  while (threads < columns && threads < row_sums_most_threads) threads *= 2;
  return threads;
}

bool is_correct(int rows, int columns) {
  auto const width = static_cast<std::size_t>(columns);
  std::vector<float> in(static_cast<std::size_t>(rows) * width);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.25f + 0.125f * static_cast<float>(i % 61);
  examples::device_buffer<float> const device_in(in);
  examples::device_buffer<float> const device_out(static_cast<std::size_t>(rows));

  // In place of row_sums<<<rows, block, block * sizeof(float), stream>>>(...); the contract adds up the bytes.
  int const block = block_for(columns);
  examples::check(wg::launch(row_sums_kernel, {rows, block}, columns, device_in.data(), device_out.data()));

  std::vector<float> const out = device_out.to_host();
  for (std::size_t row = 0; row < out.size(); ++row) {
    double expected = 0.0;
    for (std::size_t i = 0; i < width; ++i) expected += in[row * width + i];
    double const tolerance = 2.0 * columns * std::numeric_limits<float>::epsilon() * expected;
    if (!(std::abs(out[row] - expected) <= tolerance)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("row_sums", [] {
    return is_correct(1, 1) && is_correct(7, 64) && is_correct(1000, 129) && is_correct(33, 512) &&
           is_correct(3, 100003);
  });
}
