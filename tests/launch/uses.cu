// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Kernels as people write them, launched under contracts: nvcc compiles them with and without relocatable code, g++
/// and clang as C++ with every standard and the toolkit's headers, warnings being errors.

#include <warpguard/launch.cuh>

namespace wg = warpguard;

#ifdef __CUDACC__
#define KERNEL(...) __global__ void WARPGUARD_LAUNCH_BOUNDS(__VA_ARGS__)
#else
#define KERNEL(...) void
#endif

using block = wg::threads_per_block<256>;

namespace {
struct anonymous_contract : wg::contract<block> {};
KERNEL(anonymous_contract) anonymous_kernel(int* out) { out[0] = 1; }
}  // namespace
cudaError_t launch_anonymous(int* out) { return wg::launch<anonymous_contract>(anonymous_kernel, 1, nullptr, out); }

namespace library::detail {
struct kernel_contract : wg::contract<block, wg::max_registers<40>, wg::min_occupancy<50>> {};
}  // namespace library::detail
extern "C" KERNEL(library::detail::kernel_contract) extern_c_kernel(int* out) { out[0] = 1; }
static KERNEL(library::detail::kernel_contract) static_kernel(int* out) { out[0] = 2; }
cudaError_t launch_by_pointer(int* out, bool first) {
  void (*const kernels[])(int*) = {extern_c_kernel, static_kernel};
  return wg::launch<library::detail::kernel_contract>(kernels[first ? 0 : 1], 1, nullptr, out);
}

// Commas in the contract, a contract that depends on the kernel's parameters, and one that is a member.
template <class First, class Second>
struct pair_contract : wg::contract<block> {};
template <class First, class Second>
KERNEL(pair_contract<First, Second>)
pair_kernel(First* first, Second* second) {
  first[0] = First();
  second[0] = Second();
}
template <class Element, int Threads>
struct policy {
  struct contract
      : wg::contract<wg::threads_per_block<Threads>, wg::on<wg::sm<90>, wg::threads_per_block<2 * Threads>>> {};
  static_assert(wg::guarantee<contract>);
};
template <class Element, int Threads>
KERNEL(typename policy<Element, Threads>::contract)
member_kernel(Element* out) {
  out[0] = Element();
}
template <class Element>
cudaError_t launch_templates(Element* out, float* other) {
  cudaError_t const status = wg::launch<pair_contract<Element, float>>(pair_kernel<Element, float>, 1, 0, out, other);
  if (status != cudaSuccess) return status;
  return wg::launch<typename policy<Element, 128>::contract>(member_kernel<Element, 128>, {1, 2}, nullptr, out);
}
template cudaError_t launch_templates<int>(int*, float*);
template cudaError_t launch_templates<double>(double*, float*);

// Inside a generic lambda, under a local contract, with arguments that convert.
struct payload {
  int number;
  float values[4];
};
KERNEL(anonymous_contract) payload_kernel(payload const value, long const n, int* __restrict__ out) {
  out[n] = value.number;
}
cudaError_t launch_in_lambda(int* out, cudaStream_t stream) {
  struct local_contract : wg::contract<block, wg::dynamic_shared_memory<64 * 1024>> {};
  auto const launch = [out, stream](auto grid, auto const&... argument) {
    return wg::launch<local_contract>(payload_kernel, grid, stream, argument..., out);
  };
  payload const value{1, {}};
  return launch(dim3(4), value, 3);
}

constexpr anonymous_contract object{};
cudaError_t under_const_contract(int* out) {
  dim3 grid;
  cudaError_t status = wg::resident_grid<decltype(object)>(anonymous_kernel, grid);
  if (status == cudaSuccess) status = wg::prepare<decltype(object)>(anonymous_kernel);
  if (status == cudaSuccess && !wg::verify<decltype(object)>(anonymous_kernel).holds()) status = cudaErrorUnknown;
  return status == cudaSuccess ? wg::launch<decltype(object)>(anonymous_kernel, grid, nullptr, out) : status;
}

// A kernel and its contract, named once; overload sets and templates, chosen by the arguments.
constexpr wg::kernel<anonymous_contract, anonymous_kernel> anonymous_pair;
inline constexpr wg::kernel<library::detail::kernel_contract, extern_c_kernel> extern_c_pair;
constexpr wg::kernel<pair_contract<int, float>, pair_kernel<int, float>> template_pair;
KERNEL(anonymous_contract) overloaded_kernel(int* out, int n) { out[n] = n; }
KERNEL(anonymous_contract) overloaded_kernel(int* out, float x) { out[0] = static_cast<int>(x); }
cudaError_t launch_pairs(int* out, float* other, cudaStream_t stream) {
  dim3 grid;
  wg::launch_shape shape;
  cudaError_t status = wg::resident_grid(anonymous_pair, grid);
  if (status == cudaSuccess) status = wg::prepare(extern_c_pair);
  if (status == cudaSuccess) status = wg::launch_shape_of(template_pair, shape);
  if (status == cudaSuccess && !wg::verify(anonymous_pair).holds()) status = cudaErrorUnknown;
  if (status == cudaSuccess) status = wg::launch(anonymous_pair, grid, stream, out);
  if (status == cudaSuccess) status = wg::launch(extern_c_pair, {grid, stream}, out);
  if (status == cudaSuccess) status = wg::launch(template_pair, wg::for_items(1000), stream, out, other);
  if (status == cudaSuccess) status = wg::launch<anonymous_contract>(overloaded_kernel, 1, stream, out, 3);
  if (status == cudaSuccess) status = wg::launch<anonymous_contract>(overloaded_kernel, 1, nullptr, out, 3.0f);
  if (status != cudaSuccess) return status;
  return wg::launch<pair_contract<int, float>>(pair_kernel, 1, stream, out, other);
}

// A launch that chooses block and bytes, as between <<< and >>>.
struct chosen_contract : wg::contract<wg::max_threads_per_block<512>, wg::max_dynamic_shared_memory<32 * 1024>> {};
KERNEL(chosen_contract) chosen_kernel(int* out, int n) { out[n] = n; }
cudaError_t launch_chosen(int* out, unsigned long n, int threads, unsigned long bytes, cudaStream_t stream) {
  return wg::launch<chosen_contract>(chosen_kernel, {wg::for_items(n), threads, bytes, stream}, out, 3);
}

#ifdef __CUDACC__
template <class Function>
KERNEL(anonymous_contract)
apply_kernel(Function function, int n) {
  function(n);
}
struct functor {
  int* out;
  __device__ void operator()(int n) const { out[n] = n; }
};
struct functor_contract : wg::contract<block> {};
struct final_functor final {
  template <class Number>
  __device__ void operator()(int* out, Number n) const {
    out[0] = static_cast<int>(n);
  }
};
cudaError_t launch_functor(int* out) {
  cudaError_t status = wg::launch<anonymous_contract>(apply_kernel<functor>, 1, nullptr, functor{out}, 3);
  if (status == cudaSuccess) status = wg::launch<anonymous_contract>(apply_kernel, 1, nullptr, functor{out}, 3);
  // The functor itself as a kernel.
  if (status == cudaSuccess) status = wg::launch<functor_contract>(functor{out}, 1, nullptr, 3);
  if (status == cudaSuccess) status = wg::launch<functor_contract>(final_functor{}, {1, nullptr}, out, 3L);
  return status;
}
#ifdef __CUDACC_EXTENDED_LAMBDA__
cudaError_t launch_device_lambda(int* out) {
  auto const function = [=] __device__(int n) { out[n] = n; };
  cudaError_t const status = wg::launch<anonymous_contract>(apply_kernel<decltype(function)>, 1, nullptr, function, 3);
  if (status != cudaSuccess) return status;
  return wg::launch<functor_contract>(function, 1, nullptr, 3);
}
#endif

// CCCL's streams.
#if defined(__CUDACC__) && CUDART_VERSION >= 13000 && __has_include(<cuda/stream_ref>)
#include <cuda/stream_ref>
cudaError_t launch_on_reference(int* out, cuda::stream_ref stream) {
  cudaError_t const status = wg::launch<anonymous_contract>(anonymous_kernel, {1, stream}, out);
  if (status != cudaSuccess) return status;
  return wg::launch<chosen_contract>(chosen_kernel, {1, 32, 0, stream}, out, 1);
}
#endif

// Numbers of contract, model and layout in device code.
struct tile;
using tiles = wg::shared_layout<wg::staged<2, wg::shared_array<tile, float, 64>>>;
KERNEL(anonymous_contract) reads_numbers(float* out) {
  using here = anonymous_contract::on_sm<wg::sm<90>>;
  __shared__ tiles::storage memory;
  __shared__ int counts[here::threads_per_block];
  static_assert(wg::guarantee<anonymous_contract> && wg::is_kept<anonymous_contract>);
  counts[threadIdx.x] = wg::occupancy_of(wg::sm_90, {256, 40}).blocks_per_sm;
  float* const values = tiles::get<tile>(&memory, static_cast<int>(threadIdx.x) % 2);
  values[threadIdx.x % 64] = static_cast<float>(counts[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = values[0] + static_cast<float>(here::blocks_per_sm);
}
#endif
