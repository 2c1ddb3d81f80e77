// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Each kernel exists twice: one version gets its memory and its arrays from a layout, the other one declares the
/// memory and adds the offsets itself. bare_address.cmake checks that both have the same PTX, so layouts add no
/// instruction.

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
static_assert(layout::offset_of<tile_b> == 1200);
static_assert(layout::array<tile_a>::bytes_to_next_stage == 2560);
static_assert(layout::offset_of<sums> == 5040);
static_assert(layout::offset_of<scratch> == 5040);

struct by_layout {
  static __device__ float* a(unsigned char* base, int stage) { return layout::get<tile_a>(base, stage); }
  static __device__ float (*b(unsigned char* base, int stage))[8] { return layout::get<tile_b>(base, stage); }
  static __device__ double* all_sums(unsigned char* base) { return layout::get<sums>(base); }
  static __device__ unsigned char* bytes(unsigned char* base) { return layout::get<scratch>(base); }
};

struct by_hand {
  static __device__ float* a(unsigned char* base, int stage) { return reinterpret_cast<float*>(base + stage * 2560); }
  static __device__ float (*b(unsigned char* base, int stage))[8] {
    return reinterpret_cast<float(*)[8]>(base + 1200 + stage * 2560);
  }
  static __device__ double* all_sums(unsigned char* base) { return reinterpret_cast<double*>(base + 5040); }
  static __device__ unsigned char* bytes(unsigned char* base) { return base + 5040; }
};

template <class Arrays>
__device__ void use_dynamic(int steps, float* out) {
  extern __shared__ __align__(128) unsigned char memory[];
  unsigned const i = threadIdx.x;
  double sum = 0.0;
  for (int step = 0; step < steps; ++step) {
    Arrays::a(memory, step & 1)[i] = out[i];
    Arrays::b(memory, step & 1)[i & 7][3] = out[2 * i];
    __syncthreads();
    sum += Arrays::a(memory, step & 1)[299 - i] * Arrays::b(memory, step & 1)[3][i & 7];
    __syncthreads();
  }
  Arrays::all_sums(memory)[i % 7] = sum;
  __syncthreads();
  Arrays::bytes(memory)[i] = static_cast<unsigned char>(out[i]);
  out[i] = static_cast<float>(Arrays::all_sums(memory)[i & 1]) + static_cast<float>(Arrays::a(memory, 0)[1]);
}

template <class Arrays>
__device__ void use_static(layout::storage& memory, float* out) {
  unsigned char* const base = reinterpret_cast<unsigned char*>(&memory);
  Arrays::all_sums(base)[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = static_cast<float>(Arrays::all_sums(base)[threadIdx.x ^ 1u]) + Arrays::b(base, 1)[2][5];
}

// The names of a pair have the same length, because mangled names contain the length.
extern "C" __global__ void dynamic_by_layout(int steps, float* out) { use_dynamic<by_layout>(steps, out); }
extern "C" __global__ void dynamic_by_hand__(int steps, float* out) { use_dynamic<by_hand>(steps, out); }

extern "C" __global__ void static_by_layout(float* out) {
  __shared__ layout::storage memory;
  use_static<by_layout>(memory, out);
}
extern "C" __global__ void static_by_hand__(float* out) {
  __shared__ layout::storage memory;
  use_static<by_hand>(memory, out);
}

// Two layouts with different alignments in one file.
struct row;
using aligned_16 = wg::shared_layout<wg::shared_array<scratch, float, 6>, wg::shared_array<row, float, 64>>;
using aligned_1024 =
    wg::shared_layout<wg::shared_array<scratch, float, 6>, wg::shared_array<row, float, 64, wg::swizzle_alignment>>;
static_assert(aligned_16::offset_of<row> == 32);
static_assert(aligned_1024::offset_of<row> == 1024);

__device__ void use_row(float* values, float* out) {
  values[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1u] + values[5];
}

extern "C" __global__ void aligned_16_by_layout(float* out) {
  use_row(aligned_16::get<row>(aligned_16::dynamic_memory()), out);
}
extern "C" __global__ void aligned_16_by_hand__(float* out) {
  extern __shared__ __align__(16) unsigned char memory_of_16[];
  use_row(reinterpret_cast<float*>(memory_of_16 + 32), out);
}
extern "C" __global__ void aligned_1024_by_layout(float* out) {
  use_row(aligned_1024::get<row>(aligned_1024::dynamic_memory()), out);
}
extern "C" __global__ void aligned_1024_by_hand__(float* out) {
  extern __shared__ __align__(1024) unsigned char memory_of_1024[];
  use_row(reinterpret_cast<float*>(memory_of_1024 + 1024), out);
}

// A stage that is known at run time. Without NDEBUG it is checked.
extern "C" __global__ void any_stage_by_layout(int stage, float* out) {
  out[threadIdx.x] = layout::get<tile_a>(layout::dynamic_memory(), stage)[threadIdx.x];
}
extern "C" __global__ void any_stage_by_hand__(int stage, float* out) {
  extern __shared__ __align__(128) unsigned char memory_of_128[];
  out[threadIdx.x] = by_hand::a(memory_of_128, stage)[threadIdx.x];
}
