// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests what launch() takes for a kernel, and how it finds that a kernel does not fit its contract, over
/// fake_runtime.hpp.

#include <doctest/doctest.h>

#include "fake_launches.hpp"

namespace {

using why = wg::launch_refusal;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
struct odd_contract : wg::contract<wg::threads_per_block<100>> {};
struct chosen_contract : wg::contract<wg::max_threads_per_block<512>> {};

void never_throws(int, float) noexcept {}
template <class Number>
void instance(Number, float) {}
void overloaded(int, float) {}
void overloaded(int, double) {}

constexpr wg::kernel<app_contract, kernel> app_kernel;
constexpr wg::kernel<app_contract, never_throws> never_throws_kernel;
constexpr wg::kernel<app_contract, instance<int>> instance_kernel;
constexpr wg::kernel<chosen_contract, kernel> chosen_kernel;

template <class Function>
bool launched(Function function) {
  return runtime.function == reinterpret_cast<void const*>(function);
}

}  // namespace

TEST_CASE("a kernel is named once with its contract") {
  start();
  CHECK(wg::launch(app_kernel, 3, no_stream, 4, 0.5f) == cudaSuccess);
  CHECK(launched(kernel));
  CHECK(runtime.config.blockDim.x == 256);
  CHECK(runtime.config.gridDim.x == 3);
  CHECK(runtime.first_argument == 4);
  CHECK(runtime.second_argument == 0.5f);
  CHECK(wg::launch(never_throws_kernel, {3, no_stream}, 'a', 1) == cudaSuccess);
  CHECK(launched(never_throws));
  CHECK(wg::launch<app_contract>(instance_kernel, wg::for_items(1000), no_stream, 1, 2.0f) == cudaSuccess);
  CHECK(runtime.config.gridDim.x == 4);
  CHECK(wg::launch(chosen_kernel, {3, 96, 0, no_stream}, 4, 0.5f) == cudaSuccess);
  CHECK(runtime.config.blockDim.x == 96);

  dim3 grid;
  wg::launch_shape shape;
  wg::launch_description description;
  CHECK(wg::prepare(app_kernel) == cudaSuccess);
  CHECK(wg::resident_grid(app_kernel, grid) == cudaSuccess);
  CHECK(grid.x == 4 * 132);
  CHECK(wg::launch_shape_of(app_kernel, shape) == cudaSuccess);
  CHECK(shape.block.x == 256);
  CHECK(wg::launch_shape_of(chosen_kernel, shape, {{}, 64}) == cudaSuccess);
  CHECK(shape.block.x == 64);
  CHECK(wg::describe_launch(app_kernel, {5}, description) == cudaSuccess);
  CHECK(description.config().gridDim.x == 5);
  CHECK(wg::verify(app_kernel).status == cudaSuccess);
}

TEST_CASE("an overload set, or a template, is launched as the types of the arguments say") {
  start();
  CHECK(wg::launch<app_contract>(overloaded, 1, no_stream, 1, 2.0) == cudaSuccess);
  CHECK(launched(static_cast<void (*)(int, double)>(overloaded)));
  CHECK(wg::launch<app_contract>(overloaded, wg::launch_options{1}, 1, 2.0f) == cudaSuccess);
  CHECK(launched(static_cast<void (*)(int, float)>(overloaded)));
  CHECK(wg::launch<app_contract>(instance, 1, nullptr, 1L, 2.0f) == cudaSuccess);
  CHECK(launched(instance<long>));
  int const number = 1;
  CHECK(wg::launch<chosen_contract>(instance, wg::launch_options{1, 32, 0}, number, 2.0f) == cudaSuccess);
  CHECK(launched(instance<int>));
}

TEST_CASE("a kernel that was bound to a smaller or a larger block is refused") {
  fake_runtime answers;
  answers.kernel_threads = 255;
  check_refused<app_contract>(why::kernel_threads, cudaErrorInvalidConfiguration, answers);
  answers.kernel_threads = 256;
  CHECK(launch_recorded<app_contract>(answers) == cudaSuccess);
  for (int const threads : {288, 512, 768, 1023}) {
    answers.kernel_threads = threads;
    check_refused<app_contract>(why::kernel_block, cudaErrorInvalidConfiguration, answers);
  }
  // A kernel without bounds, and one whose bounds are 1024.
  answers.kernel_threads = 1024;
  CHECK(launch_recorded<app_contract>(answers) == cudaSuccess);
  // A kernel without bounds whose registers allow no larger block: 65536 / (80 * 32) = 25.6 warps; 24 by the unit in
  // which warps are allocated.
  answers.kernel_registers = 80;
  for (int const threads : {768, 800}) {
    answers.kernel_threads = threads;
    CHECK(launch_recorded<app_contract>(answers) == cudaSuccess);
  }
  answers.kernel_threads = 736;
  check_refused<app_contract>(why::kernel_block, cudaErrorInvalidConfiguration, answers);
  // Bounds that are no whole number of warps.
  answers = {};
  for (int const threads : {100, 128}) {
    answers.kernel_threads = threads;
    CHECK(launch_recorded<odd_contract>(answers) == cudaSuccess);
  }
  answers.kernel_threads = 160;
  check_refused<odd_contract>(why::kernel_block, cudaErrorInvalidConfiguration, answers);
  // The bounds are those of the largest block that a launch may choose.
  answers = {};
  answers.kernel_threads = 512;
  start(answers);
  CHECK(wg::launch<chosen_contract>(kernel, {1, 64}, 1, 2.0f) == cudaSuccess);
}

TEST_CASE("the runtime refuses a pair of a host function, which the compiler cannot tell from a kernel") {
  fake_runtime answers;
  answers.on_query = cudaErrorInvalidDeviceFunction;
  start(answers);
  CHECK(wg::launch(app_kernel, 1, no_stream, 1, 2.0f) == cudaErrorInvalidDeviceFunction);
  CHECK(wg::why_refused() == why::runtime);
  CHECK(runtime.launches == 0);
}

#if CUDART_VERSION >= 12040
TEST_CASE("the arguments of a cudaKernel_t are as many and as large as its parameters, which is checked once") {
  auto const loaded = reinterpret_cast<cudaKernel_t>(0x1000);
  auto const launch_with = [&](auto... argument) {
    return wg::launch<app_contract>(loaded, 1, no_stream, argument...);
  };
  start();
  CHECK(launch_with(1, 2.0f) == cudaSuccess);
  CHECK(runtime.parameter_queries == 3);
  CHECK(launch_with(3, 4.0f) == cudaSuccess);
  CHECK(runtime.parameter_queries == 3);
  CHECK(runtime.last_error == cudaSuccess);  // a check that succeeds leaves no error behind
  CHECK(launch_with(1) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::kernel_parameters);
  CHECK(launch_with() == cudaErrorInvalidConfiguration);
  CHECK(launch_with(1, 2.0f, 3) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::kernel_parameters);
  CHECK(launch_with(1, 2.0) == cudaErrorInvalidConfiguration);
  CHECK(launch_with(1L, 2.0f) == cudaErrorInvalidConfiguration);
  CHECK(wg::launch<app_contract>(loaded, wg::launch_options{1}, 1, 2.0) == cudaErrorInvalidConfiguration);
  CHECK(runtime.launches == 2);
  runtime.last_error = cudaSuccess;
  CHECK(launch_with(1, 2.0f) == cudaSuccess);
  // An error that the program has yet to read stays.
  start();
  runtime.last_error = cudaErrorIllegalAddress;
  CHECK(launch_with(1, 2.0f) == cudaSuccess);
  CHECK(runtime.last_error == cudaErrorIllegalAddress);
  // A driver that does not tell.
  fake_runtime answers;
  answers.on_parameters = cudaErrorCallRequiresNewerDriver;
  start(answers);
  CHECK(launch_with(1, 2.0) == cudaSuccess);
}
#endif
