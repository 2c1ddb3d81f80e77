// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// stencil, the mean of 2 * radius + 1 neighbours, from a tile in dynamic shared memory that is as long as each GPU
/// allows with 4 blocks on an SM: a longer tile loads its halo less often. Blocks take tile after tile, so that the
/// host needs not know how long one is.

// What the PTX says, which a test compares:
// ptx: stencil   maxntid=256,1,1 minnctapersm=4 maxclusterrank=-

#include <algorithm>
#include <cmath>
#include <vector>
#include <warpguard/launch.cuh>
#include <warpguard/shared_layout.hpp>

#include "device.hpp"

namespace wg = warpguard;

constexpr int radius = 8;
constexpr int block_threads = 256;
struct with_halo;
template <int Tile>
using stencil_layout = wg::shared_layout<wg::shared_array<with_halo, float, Tile + 2 * radius>>;

template <class Architecture>
constexpr int tile_on =
    wg::largest_tile<Architecture, stencil_layout, 4, 1024, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 14336>;
template <class Architecture>
using on_gpu = wg::on<Architecture, wg::dynamic_shared_memory_of<stencil_layout<tile_on<Architecture>>>>;
static_assert(tile_on<wg::sm<75>> == 3072 && tile_on<wg::sm<86>> == 4096 && tile_on<wg::sm<90>> == 12288);

struct stencil_contract
    : wg::contract<wg::threads_per_block<block_threads>, wg::max_registers<64>, wg::min_blocks_per_sm<4>,
                   on_gpu<wg::sm<75>>, on_gpu<wg::sm<80>>, on_gpu<wg::sm<86>>, on_gpu<wg::sm<89>>, on_gpu<wg::sm<90>>,
                   on_gpu<wg::sm<100>>, on_gpu<wg::sm<120>>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(stencil_contract) stencil(int n, float const* in, float* out) {
#ifdef __CUDA_ARCH__
  constexpr int tile = tile_on<wg::sm<__CUDA_ARCH__ / 10>>;
  extern __shared__ __align__(16) unsigned char memory[];
  float* const values = stencil_layout<tile>::template get<with_halo>(memory);
  for (long long first = 1LL * blockIdx.x * tile; first < n; first += 1LL * gridDim.x * tile) {
    for (int i = static_cast<int>(threadIdx.x); i < tile + 2 * radius; i += block_threads) {
      long long const at = first + i - radius;
      values[i] = at >= 0 && at < n ? in[at] : 0.0f;
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < tile && first + i < n; i += block_threads) {
      float sum = 0.0f;
#pragma unroll
      for (int j = 0; j <= 2 * radius; ++j) sum += values[i + j];
      out[first + i] = sum / (2 * radius + 1);
    }
    __syncthreads();
  }
#endif
}

namespace {

bool is_right(int n) {
  std::vector<float> in(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.25f * static_cast<float>(i % 97);
  examples::device_buffer<float> const device_in(in);
  examples::device_buffer<float> const device_out(in.size());
  dim3 grid;
  examples::check(wg::resident_grid<stencil_contract>(stencil, grid));
  examples::check(wg::launch<stencil_contract>(stencil, grid, nullptr, n, device_in.data(), device_out.data()));
  std::vector<float> const out = device_out.to_host();
  for (int i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int j = std::max(i - radius, 0); j <= std::min(i + radius, n - 1); ++j) sum += in[static_cast<std::size_t>(j)];
    double const expected = sum / (2 * radius + 1);
    if (!(std::abs(out[static_cast<std::size_t>(i)] - expected) <= 1e-4)) return false;
  }
  return true;
}

}  // namespace

int main() {
  return examples::run("stencil", [] { return is_right(1) && is_right(14337) && is_right(3000000); });
}
