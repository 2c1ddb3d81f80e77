// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// only: g++ clang nvcc

// Launches that do not fit their kernel: one message names the argument. g++ and clang compile this as C++, with the
// toolkit's headers.

#include <warpguard/launch.cuh>

#include "cases.hpp"

namespace wg = warpguard;

#ifdef __CUDACC__
#define KERNEL __global__
#else
#define KERNEL
#endif

struct app_contract : wg::contract<wg::threads_per_block<256>> {};

// A parameter type of its own for each kernel, because a refusal is printed once.
template <int Case>
struct value {
  int number;
};
template <int Case>
KERNEL void kernel(value<Case>, float, float*) {}
template <int Case>
inline constexpr value<Case> one{};

cudaStream_t const stream = nullptr;
dim3 const grid(4);
float* const out = nullptr;

// error: warpguard: the kernel takes another number of arguments than it is launched with [argument_count]

// facts: argument_count_guard<Kernel=void(value<1>, float, float*), ArgumentsTaken=3, ArgumentsGiven=2>
cudaError_t too_few() { return wg::launch<app_contract>(kernel<1>, grid, stream, one<1>, 2.0f ACCEPTED(, out)); }

// facts: argument_count_guard<Kernel=void(value<2>, float, float*), ArgumentsTaken=3, ArgumentsGiven=4>
cudaError_t too_many() { return wg::launch<app_contract>(kernel<2>, grid, stream, one<2>, 2.0f, out REFUSED(, 4)); }

// facts: argument_count_guard<Kernel=void(value<3>, float, float*), ArgumentsTaken=3, ArgumentsGiven=0>
cudaError_t none() {
  return wg::launch<app_contract>(kernel<3>, wg::launch_options{grid, stream} ACCEPTED(, one<3>, 2.0f, out));
}

// error: warpguard: an argument of the launch does not convert to the kernel's parameter [argument_type]

// facts: argument_type_guard<Kernel=void(value<4>, float, float*), Number=3, Given=double*, Parameter=float*>
cudaError_t other_pointer(double* doubles) {
  static_cast<void>(doubles);
  return wg::launch<app_contract>(kernel<4>, grid, stream, one<4>, 2.0f, REFUSED(doubles) ACCEPTED(out));
}

// The first one that is wrong.
// facts: argument_type_guard<Kernel=void(value<5>, float, float*), Number=2, Given=float*, Parameter=float>
cudaError_t other_order() {
  return wg::launch<app_contract>(kernel<5>, grid, stream, one<5>, REFUSED(out, 2.0f) ACCEPTED(2.0f, out));
}

// facts: argument_type_guard<Kernel=void(value<6>, float, float*), Number=3, Given=const float*, Parameter=float*>
cudaError_t const_pointer(float const* in) {
  static_cast<void>(in);
  return wg::launch<app_contract>(kernel<6>, wg::launch_options{grid, stream}, one<6>, 2.0f, REFUSED(in) ACCEPTED(out));
}

// error: warpguard: launch takes a stream after the grid (a block and bytes go into {grid, block, bytes, stream})

// facts: stream_guard<Kernel=void(value<7>, float, float*), Given=value<7>>
cudaError_t without_stream() { return wg::launch<app_contract>(kernel<7>, grid ACCEPTED(, stream), one<7>, 2.0f, out); }

// A literal 0 is a stream; here it is the first argument, or the stream that another argument is missing for.
// facts: stream_guard<Kernel=void(int, float), Given=int>
KERNEL void takes_int(int, float) {}
cudaError_t without_stream_but_with_int() { return wg::launch<app_contract>(takes_int, grid, ACCEPTED(0, ) 0, 2.0f); }

// As between <<< and >>>.
// facts: stream_guard<Kernel=void(value<8>, float, float*), Given=dim3>
cudaError_t with_block() {
  return wg::launch<app_contract>(kernel<8>, grid, REFUSED(dim3(256), 0, ) stream, one<8>, 2.0f, out);
}

// facts: stream_guard<Kernel=void(value<9>, float, float*), Given=detail::no_argument>
cudaError_t with_grid_alone() {
  return wg::launch<app_contract>(kernel<9>, grid ACCEPTED(, stream, one<9>, 2.0f, out));
}

// error: warpguard: launch takes a grid, or launch_options, after the kernel [grid]

// facts: grid_guard<Kernel=void(value<10>, float, float*), Given=const char*>
cudaError_t with_text_as_grid() {
  return wg::launch<app_contract>(kernel<10>, REFUSED("4") ACCEPTED(4), stream, one<10>, 2.0f, out);
}

// error: warpguard: launch takes a kernel first: a __global__ function, or one instance of a template [kernel]

// facts: kernel_guard<Given=value<11>>
cudaError_t of_no_kernel() {
  return wg::launch<app_contract>(REFUSED(one<11>) ACCEPTED(kernel<11>), grid, stream, one<11>, 2.0f, out);
}

// error: warpguard: name the kernel's contract: launch<Contract>(kernel, grid, stream, arguments...) [contract_name]

// facts: contract_name_guard<Kernel=void(value<12>, float, float*)>
cudaError_t without_contract() {
  return wg::launch ACCEPTED(<app_contract>)(kernel<12>, grid, stream, one<12>, 2.0f, out);
}

// It comes before what is wrong with the arguments.
// facts: contract_name_guard<Kernel=void(value<13>, float, float*)>
cudaError_t without_contract_and_stream() {
  return wg::launch ACCEPTED(<app_contract>)(kernel<13>, grid, ACCEPTED(stream, ) one<13>, 2.0f, out);
}

// facts: contract_name_guard<Kernel=void(value<14>, float, float*)>
cudaError_t prepared_without_contract() { return wg::prepare ACCEPTED(<app_contract>)(kernel<14>); }

// error: warpguard: launch takes a kernel, a grid, a stream, and what converts to the kernel's parameters [launch]

// A 1 is of the type of a literal 0, which converts to a pointer.
// facts: launch_guard<Kernel=void(value<15>, float, float*)>
cudaError_t with_int_as_pointer() {
  return wg::launch<app_contract>(kernel<15>, grid, stream, one<15>, 2.0f, REFUSED(1) ACCEPTED(0));
}

// error: warpguard: this type is not a contract: derive it from contract<...> [contract]

// facts: contract_guard<Type=no_contract>
struct no_contract ACCEPTED( : wg::contract<wg::threads_per_block<256>>) {};
cudaError_t under_no_contract() { return wg::launch<no_contract>(kernel<16>, grid, stream, one<16>, 2.0f, out); }

// error: warpguard: a contract needs threads_per_block [missing_threads]

// facts: missing_threads_guard<Contract=without_block>
struct without_block : wg::contract<ACCEPTED(wg::threads_per_block<256>)> {};
cudaError_t under_faulty_contract() { return wg::launch<without_block>(kernel<17>, grid, stream, one<17>, 2.0f, out); }

// error: warpguard: launches under this contract choose the block: launch<Contract>(kernel, {grid, block, bytes,
// stream}, arguments...)

// facts: block_choice_guard<Contract=chosen_contract>
struct chosen_contract : wg::contract<REFUSED(wg::max_threads_per_block<256>) ACCEPTED(wg::threads_per_block<256>)> {};
cudaError_t without_block() { return wg::launch<chosen_contract>(kernel<18>, grid, stream, one<18>, 2.0f, out); }

// On one target.
// facts: block_choice_guard<Contract=chosen_on_one_contract>
struct chosen_on_one_contract
    : wg::contract<wg::threads_per_block<256> REFUSED(, wg::on<wg::sm<75>, wg::max_threads_per_block<256>>)> {};
constexpr wg::kernel<chosen_on_one_contract, kernel<19>> pair_without_block;
cudaError_t pair_launched_without_block() { return wg::launch(pair_without_block, grid, stream, one<19>, 2.0f, out); }

// error: warpguard: this kernel has a contract already, and it is another one [other_contract]

// facts: other_contract_guard<Kernel=void(value<20>, float, float*), Given=app_contract, Contract=other_contract>
struct other_contract : wg::contract<wg::threads_per_block<256>> {};
constexpr wg::kernel<other_contract, kernel<20>> other_pair;
cudaError_t under_another_contract() {
  return wg::launch<REFUSED(app_contract) ACCEPTED(other_contract)>(other_pair, grid, stream, one<20>, 2.0f, out);
}

// facts: other_contract_guard<Kernel=void(value<21>, float, float*), Given=app_contract, Contract=other_contract>
constexpr wg::kernel<other_contract, kernel<21>> prepared_pair;
cudaError_t prepared_under_another_contract() {
  return wg::prepare<REFUSED(app_contract) ACCEPTED(other_contract)>(prepared_pair);
}

// error: warpguard: the kernel takes another number of arguments than it is launched with [argument_count]

// facts: argument_count_guard<Kernel=void(value<22>, float, float*), ArgumentsTaken=3, ArgumentsGiven=2>
constexpr wg::kernel<other_contract, kernel<22>> called_pair;
cudaError_t pair_with_too_few() { return wg::launch(called_pair, grid, stream, one<22>, 2.0f ACCEPTED(, out)); }

// error: warpguard: launch takes a kernel, a grid, a stream, and what converts to the kernel's parameters [launch]

// facts: launch_guard<Kernel=void(value<23>, float, float*)>
constexpr wg::kernel<other_contract, kernel<23>> pair_with_pointer;
cudaError_t pair_with_int_as_pointer() {
  return wg::launch(pair_with_pointer, grid, stream, one<23>, 2.0f, REFUSED(1) ACCEPTED(0));
}

// error: warpguard: launch takes a kernel first: a __global__ function, or one instance of a template [kernel]

// facts: kernel_guard<Given=int (*)(int)>
int returns_a_number(int number) { return number; }
using no_kernel_pair REFUSED(= wg::kernel<other_contract, returns_a_number>) ACCEPTED(= int);
[[maybe_unused]] no_kernel_pair const never_launched{};

// facts: kernel_guard<Given=double>
cudaError_t prepared_number() { return wg::prepare<app_contract>(REFUSED(2.5) ACCEPTED(kernel<24>)); }
