// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Uses contracts in kernels of every kind: WARPGUARD_LAUNCH_BOUNDS, static members, limits and checks inside kernels,
/// and the model at run time. The file is compiled for every target by nvcc, clang and NVRTC, but not run.
/// ptx_bounds.cmake compares the lines below with the PTX.

// ptx sm_75: extern_c_kernel           maxntid=256,1,1 minnctapersm=3 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: extern_c_kernel maxntid=256,1,1 minnctapersm=6 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: extern_c_kernel maxntid=256,1,1 minnctapersm=5 maxclusterrank=-
// ptx: only_threads                    maxntid=512,1,1 minnctapersm=- maxclusterrank=-
// ptx: unforced                        maxntid=256,1,1 minnctapersm=- maxclusterrank=-
// ptx: at_most                         maxntid=128,1,1 minnctapersm=- maxclusterrank=-
// ptx: exactly                         maxntid=512,1,1 minnctapersm=2 maxclusterrank=-
// ptx: contract_with_commas            maxntid=64,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_75 sm_80 sm_86 sm_89: varying maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
// ptx sm_90: varying                   maxntid=384,1,1 minnctapersm=1 maxclusterrank=4
// ptx sm_100: varying                  maxntid=256,1,1 minnctapersm=2 maxclusterrank=8
// ptx sm_120: varying                  maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
// ptx: tile<16>                        maxntid=256,1,1 minnctapersm=2 maxclusterrank=-
// ptx: tile<32>                        maxntid=1024,1,1 minnctapersm=1 maxclusterrank=-
// ptx sm_75: member_types<float>       maxntid=128,1,1 minnctapersm=4 maxclusterrank=-
// ptx sm_80 sm_90 sm_100: member_types<float> maxntid=128,1,1 minnctapersm=8 maxclusterrank=-
// ptx sm_86 sm_89 sm_120: member_types<float> maxntid=128,1,1 minnctapersm=6 maxclusterrank=-
// ptx: staged_sums                     maxntid=128,1,1 minnctapersm=4 maxclusterrank=-

#include <warpguard/contract.hpp>

namespace wg = warpguard;

// ---- launch bounds --------------------------------------------------------------------------------------------------

struct percent_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<62>> {};
struct three_quarters_contract : wg::contract<wg::threads_per_block<256>, wg::min_occupancy<75>> {};

extern "C" __global__ void WARPGUARD_LAUNCH_BOUNDS(three_quarters_contract) extern_c_kernel(int* out) {
  out[threadIdx.x] = static_cast<int>(blockDim.x);
}

struct only_threads_contract : wg::contract<wg::threads_per_block<8, 16, 4>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(only_threads_contract) only_threads(int* out) { out[threadIdx.x] = 1; }

struct unforced_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::min_blocks_per_sm<4>,
                                        wg::no_min_blocks_bound> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(unforced_contract) unforced(int* out) { out[threadIdx.x] = 1; }

struct at_most_contract
    : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory<60 * 1024>, wg::max_blocks_per_sm<3>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(at_most_contract) at_most(int* out) { out[threadIdx.x] = 1; }

// 7.5 holds two blocks of 512 threads. On other architectures the bytes leave no room for a third.
struct exactly_contract
    : wg::contract<wg::threads_per_block<512>, wg::dynamic_shared_memory<30 * 1024>, wg::exactly_blocks_per_sm<2>,
                   wg::on<wg::sm<80>, wg::dynamic_shared_memory<64 * 1024>>,
                   wg::on<wg::sm<86>, wg::dynamic_shared_memory<40 * 1024>>,
                   wg::on<wg::sm<89>, wg::dynamic_shared_memory<40 * 1024>>,
                   wg::on<wg::sm<90>, wg::dynamic_shared_memory<100 * 1024>>,
                   wg::on<wg::sm<100>, wg::dynamic_shared_memory<100 * 1024>>,
                   wg::on<wg::sm<120>, wg::dynamic_shared_memory<40 * 1024>>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(exactly_contract) exactly(int* out) { out[threadIdx.x] = 1; }

// A contract without a name, directly as the argument of the macro.
__global__ void WARPGUARD_LAUNCH_BOUNDS(wg::contract<wg::threads_per_block<64>, wg::min_blocks_per_sm<4>>)
    contract_with_commas(int* out) {
  out[threadIdx.x] = 1;
}

struct varying_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<2>,
                                       wg::on<wg::sm<90>, wg::threads_per_block<384>, wg::exactly_blocks_per_sm<1>,
                                              wg::cluster_size<4>, wg::dynamic_shared_memory<200 * 1024>>,
                                       wg::on<wg::sm<100>, wg::cluster_size<2, 4>>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(varying_contract) varying(int* out) { out[threadIdx.x] = 1; }

template <int Tile>
struct tile_contract : wg::contract<wg::threads_per_block<Tile * Tile>, wg::static_shared_memory<Tile * Tile * 4>,
                                    wg::min_blocks_per_sm<(Tile > 16 ? 1 : 2)>> {};
template <int Tile>
__global__ void WARPGUARD_LAUNCH_BOUNDS(tile_contract<Tile>) tile(float* out) {
  __shared__ float cells[tile_contract<Tile>::template on_sm<wg::sm<75>>::static_shared_memory / sizeof(float)];
  cells[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cells[Tile * Tile - 1 - threadIdx.x];
}
template __global__ void tile<16>(float*);
template __global__ void tile<32>(float*);

// A layout in dynamic shared memory, and one in static.
struct in_a;
struct in_b;
using dynamic_layout = wg::shared_layout<wg::staged<2, wg::shared_array<in_a, float, 128>>>;
using static_layout = wg::shared_layout<wg::shared_array<in_b, float, 128>>;
struct staged_sums_contract : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory_of<dynamic_layout>,
                                           wg::static_shared_memory_of<static_layout>, wg::min_blocks_per_sm<4>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(staged_sums_contract) staged_sums(float* out) {
  __shared__ static_layout::storage memory;
  float* const sums = static_layout::get<in_b>(&memory);
  float* const first = dynamic_layout::get<in_a>(dynamic_layout::dynamic_memory());
  float* const second = dynamic_layout::get<in_a, 1>(dynamic_layout::dynamic_memory());
  first[threadIdx.x] = out[threadIdx.x];
  second[threadIdx.x] = out[threadIdx.x + 128];
  __syncthreads();
  sums[threadIdx.x] = first[127 - threadIdx.x] + second[threadIdx.x];
  out[threadIdx.x] = sums[threadIdx.x];
}

// ---- constants inside a kernel --------------------------------------------------------------------------------------

template <class Value>
struct typed_contract : wg::contract<wg::threads_per_block<128>, wg::max_registers<64>, wg::min_occupancy<50>> {};

template <class Value>
__global__ void WARPGUARD_LAUNCH_BOUNDS(typed_contract<Value>) member_types(Value* out) {
  using contract = typed_contract<Value>;
  using hopper = typename contract::template on_sm<wg::sm<90>>;

  static_assert(wg::guarantee<contract>);
  static_assert(wg::guarantee_on<contract, wg::sm<75>, wg::sm<90>>);
  static_assert(hopper::blocks_per_sm == 8);
  static_assert(hopper::warps_per_sm == 32);
  static_assert(hopper::threads_per_sm == 1024);
  static_assert(hopper::max_registers == 64);
  static_assert(hopper::limited_by == wg::limiter::registers);
  static_assert(hopper::launch_min_blocks == 8);
  static_assert(hopper::residency.unused_warps == 32);
  static_assert(wg::sm<90>::limits().max_warps_per_sm == 64);
  static_assert(contract::threads == 128);

  constexpr wg::architecture turing = wg::sm<75>::limits();
  constexpr int blocks = wg::occupancy_of(turing, {128, 64}).blocks_per_sm;
  __shared__ Value per_warp[hopper::threads_per_block / turing.warp_size];

  // The model at run time.
  wg::kernel_resources const kernel{static_cast<int>(blockDim.x), static_cast<int>(out[0])};
  wg::occupancy const now = wg::occupancy_of(wg::sm<90>::limits(), kernel);
  if (threadIdx.x < hopper::threads_per_block / turing.warp_size) {
    per_warp[threadIdx.x] = static_cast<Value>(now.blocks_per_sm + blocks);
  }
  __syncthreads();
  using bounds = wg::detail::bounds<contract>;
  int const members = bounds::launch_threads + bounds::launch_min_blocks + bounds::launch_max_cluster +
                      contract::threads + hopper::blocks_per_sm + hopper::max_registers + hopper::dynamic_shared_memory;
  out[threadIdx.x] = per_warp[threadIdx.x / 32] + static_cast<Value>(members) +
                     static_cast<Value>(wg::max_registers_per_thread(turing, kernel.threads_per_block, 2)) +
                     static_cast<Value>(wg::max_dynamic_bytes(wg::sm<80>::limits(), kernel, 2));
}
template __global__ void member_types<float>(float*);

// ---- every pass sees the same targets -------------------------------------------------------------------------------

static_assert(wg::build_target_list::count >= 1);
#if defined(__CUDA_ARCH__)
static_assert(wg::build_target_list::contains(__CUDA_ARCH__ / 10));
static_assert(wg::detail::bounds<percent_contract>::launch_min_blocks ==
              percent_contract::terms_on(__CUDA_ARCH__ / 10).blocks_required(wg::sm<__CUDA_ARCH__ / 10>::limits()));
#else
static_assert(wg::detail::bounds<percent_contract>::launch_min_blocks == 0);
#endif
static_assert(wg::guarantee<percent_contract>);

// ---- device and host functions --------------------------------------------------------------------------------------

__host__ __device__ int blocks_on_hopper(int threads, int registers) {
  return wg::occupancy_of(wg::sm<90>::limits(), {threads, registers}).blocks_per_sm +
         percent_contract::on_sm<wg::sm<90>>::blocks_per_sm;
}

#if !defined(__CUDACC_RTC__)
int warps_of_all_targets() {
  int sum = 0;
  for (int i = 0; i < wg::build_target_list::count; ++i) {
    sum += wg::find_architecture(wg::build_target_list::compute_capabilities[i])->max_warps_per_sm;
  }
  return sum;
}
#endif
