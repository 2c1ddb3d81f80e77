// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// softmax processes the rows of a matrix, one block per row. The row stays in dynamic shared memory during the passes
/// for its largest element, for the sum and for the result. Contract: softmax_contract.hpp.

// The launch bounds in the PTX; a test checks these lines:
// ptx: softmax   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>
#include <warpguard/launch.cuh>

#include "../device.hpp"
#include "softmax_contract.hpp"

constexpr int max_columns = softmax_max_columns;
constexpr int block_threads = softmax_block_threads;

struct larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

/// Combines the values of all threads of the block, and returns the result to all of them.
template <class Combine>
__device__ float combine_block(float value, float* scratch, Combine combine) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value = combine(value, __shfl_xor_sync(0xffffffffu, value, lanes));
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
  __syncthreads();
  value = scratch[0];
  for (int warp = 1; warp < block_threads / 32; ++warp) value = combine(value, scratch[warp]);
  __syncthreads();  // all threads have read scratch before its next use
  return value;
}

__global__ void WARPGUARD_LAUNCH_BOUNDS(softmax_contract) softmax(int columns, float const* in, float* out) {
  unsigned char* const memory = softmax_layout::dynamic_memory();
  float* const values = softmax_layout::get<softmax_row>(memory);
  float* const scratch = softmax_layout::get<softmax_scratch>(memory);
  long long const first = 1LL * blockIdx.x * columns;

  float largest = -INFINITY;
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += block_threads) {
    values[i] = in[first + i];
    largest = fmaxf(largest, values[i]);
  }
  largest = combine_block(largest, scratch, larger{});
  float total = 0.0f;
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += block_threads) {
    values[i] = expf(values[i] - largest);
    total += values[i];
  }
  total = combine_block(total, scratch, sum{});
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += block_threads) out[first + i] = values[i] / total;
}

/// Computes the softmax of each row of a matrix. Throws if a row does not fit into the shared memory of a block.
void softmax_of_rows(int rows, int columns, float const* in, float* out) {
  if (columns < 1 || columns > max_columns) {
    throw std::invalid_argument("softmax: a row has 1 to " + std::to_string(max_columns) + " columns");
  }
  dim3 const grid(static_cast<unsigned>(rows));
  examples::check(wg::launch<softmax_contract>(softmax, grid, nullptr, columns, in, out));
}

namespace {

bool is_refused(int columns) {
  try {
    softmax_of_rows(1, columns, nullptr, nullptr);
  } catch (std::invalid_argument const&) {
    return true;
  }
  return false;
}

bool is_correct(int rows, int columns) {
  auto const width = static_cast<std::size_t>(columns);
  std::vector<float> in(static_cast<std::size_t>(rows) * width);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.05f * static_cast<float>(i % 211) - 4.0f;
  examples::device_buffer<float> const device_in(in);
  examples::device_buffer<float> const device_out(in.size());
  softmax_of_rows(rows, columns, device_in.data(), device_out.data());
  std::vector<float> const out = device_out.to_host();
  for (std::size_t first = 0; first < in.size(); first += width) {
    double largest = in[first];
    double total = 0.0;
    for (std::size_t i = first; i < first + width; ++i) largest = std::max<double>(largest, in[i]);
    for (std::size_t i = first; i < first + width; ++i) total += std::exp(in[i] - largest);
    for (std::size_t i = first; i < first + width; ++i) {
      double const expected = std::exp(in[i] - largest) / total;
      if (!(std::abs(out[i] - expected) <= 1e-5 * expected)) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("softmax", [] {
    return is_correct(1, 1) && is_correct(7, 255) && is_correct(300, max_columns) && is_refused(max_columns + 1);
  });
}
