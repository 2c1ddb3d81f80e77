// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A kernel that takes its arrays from a layout and, with HAND_WRITTEN, one that adds the offsets itself:
/// bare_address.cmake compares their PTX, which must be the same, so `get` adds no instruction.

#include <warpguard/layout/shared_layout.hpp>

namespace wg = warpguard;

struct tile_a;
struct tile_b;
struct sums;
struct scratch;
using layout =
    wg::shared_layout<wg::staged<2, wg::shared_array<tile_a, float, 300, wg::bulk_copy_alignment>,
                                 wg::shared_array<tile_b, float[8], 40>>,
                      wg::overlay<wg::shared_array<sums, double, 7>, wg::shared_array<scratch, unsigned char, 999>>>;

#ifdef HAND_WRITTEN
__device__ float* a_of(unsigned char* base, int stage) { return reinterpret_cast<float*>(base + stage * 2560); }
__device__ float (*b_of(unsigned char* base, int stage))[8] {
  return reinterpret_cast<float(*)[8]>(base + 1200 + stage * 2560);
}
__device__ double* sums_of(unsigned char* base) { return reinterpret_cast<double*>(base + 5040); }
__device__ unsigned char* scratch_of(unsigned char* base) { return base + 5040; }
#else
static_assert(layout::offset_of<tile_b> == 1200 && layout::array<tile_a>::bytes_to_next_stage == 2560);
static_assert(layout::offset_of<sums> == 5040 && layout::offset_of<scratch> == 5040);
__device__ float* a_of(unsigned char* base, int stage) { return layout::get<tile_a>(base, stage); }
__device__ float (*b_of(unsigned char* base, int stage))[8] { return layout::get<tile_b>(base, stage); }
__device__ double* sums_of(unsigned char* base) { return layout::get<sums>(base); }
__device__ unsigned char* scratch_of(unsigned char* base) { return layout::get<scratch>(base); }
#endif

extern "C" __global__ void from_dynamic(int steps, float* out) {
  extern __shared__ __align__(128) unsigned char memory[];
  unsigned const i = threadIdx.x;
  double sum = 0.0;
  for (int step = 0; step < steps; ++step) {
    a_of(memory, step & 1)[i] = out[i];
    b_of(memory, step & 1)[i & 7][3] = out[2 * i];
    __syncthreads();
    sum += a_of(memory, step & 1)[299 - i] * b_of(memory, step & 1)[3][i & 7];
    __syncthreads();
  }
  sums_of(memory)[i % 7] = sum;
  __syncthreads();
  scratch_of(memory)[i] = static_cast<unsigned char>(out[i]);
  out[i] = static_cast<float>(sums_of(memory)[i & 1]) + static_cast<float>(a_of(memory, 0)[1]);
}

extern "C" __global__ void from_static(float* out) {
  __shared__ layout::storage memory;
  unsigned char* const base = reinterpret_cast<unsigned char*>(&memory);
  sums_of(base)[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = static_cast<float>(sums_of(base)[threadIdx.x ^ 1u]) + b_of(base, 1)[2][5];
}
