// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The code of docs/shared-memory.md.

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct row;
struct counts;
using row_layout = wg::shared_layout<wg::shared_array<row, float, 1024>, wg::shared_array<counts, int, 32>>;

struct rows_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory_of<row_layout>, wg::min_blocks_per_sm<4>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(rows_contract) rows(float const* in, int* out) {
  unsigned char* const memory = row_layout::dynamic_memory();
  float* const my_row = row_layout::get<row>(memory);
  int* const my_counts = row_layout::get<counts>(memory);
  if (threadIdx.x < 32) my_counts[threadIdx.x] = 0;
  for (unsigned i = threadIdx.x; i < 1024; i += 256) my_row[i] = in[1024 * blockIdx.x + i];
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 1023; i += 256) atomicAdd(&my_counts[i % 32], my_row[i] < my_row[i + 1] ? 1 : 0);
  __syncthreads();
  if (threadIdx.x < 32) out[32 * blockIdx.x + threadIdx.x] = my_counts[threadIdx.x];
}

struct static_rows_contract
    : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory_of<row_layout>, wg::min_blocks_per_sm<4>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(static_rows_contract) static_rows(float const* in, float* out) {
  __shared__ row_layout::storage memory;
  row_layout::get<row>(&memory)[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row_layout::get<row>(&memory)[threadIdx.x ^ 1u];
}

struct stage_of_a;
struct stage_of_b;
struct result;
struct full;
using pipeline_layout =
    wg::shared_layout<wg::overlay<wg::staged<4, wg::shared_array<stage_of_a, float[32], 32, wg::swizzle_alignment>,
                                             wg::shared_array<stage_of_b, float[32], 32, wg::swizzle_alignment>>,
                                  wg::shared_array<result, float[64], 64, wg::bulk_copy_alignment>>,
                      wg::shared_array<full, unsigned long long, 4>>;
static_assert(pipeline_layout::array<stage_of_a>::bytes_to_next_stage == 8192);
static_assert(pipeline_layout::offset_of<stage_of_b> == 4096);
static_assert(pipeline_layout::offset_of<result> == 0);  // after the pipeline, in its place
static_assert(pipeline_layout::offset_of<full> == 4 * 8192);
static_assert(pipeline_layout::bytes == 4 * 8192 + 4 * 8);

struct left;
struct right;
template <int Tile>
using tiles_of =
    wg::shared_layout<wg::shared_array<left, float[Tile], Tile>, wg::shared_array<right, float[Tile], Tile>>;

static_assert(wg::max_tile<wg::sm<75>, tiles_of, 2, 16, 32, 48, 64, 80, 96, 112> == 64);
static_assert(wg::max_tile<wg::sm<80>, tiles_of, 2, 16, 32, 48, 64, 80, 96, 112> == 96);
static_assert(wg::max_tile<wg::sm<90>, tiles_of, 2, 16, 32, 48, 64, 80, 96, 112> == 112);
