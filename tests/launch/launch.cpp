// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the calls that launch() makes to the CUDA runtime. fake_runtime.hpp records them, so this is plain C++ with
/// the toolkit's headers. The examples test on a GPU that these calls have the intended effect.

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>
#include <warpguard/launch.cuh>
#include <warpguard/layout/shared_layout.hpp>

#include "../check.hpp"
#include "fake_launches.hpp"
#include "launch_elsewhere.hpp"

namespace wg = warpguard;

namespace {

template <int Size>
void instance(int, float) {
  static int volatile size = Size;
  size = size + 1;
}
void no_parameters() {}
void never_throws(int, float) noexcept {}

/// A parameter type whose operator& does not return the address.
struct hides_its_address {
  int value = 0;
  void* operator&() const { return nullptr; }
};
void takes_structs(hides_its_address const, float const) {}

struct plain_contract : wg::contract<wg::threads_per_block<32, 4, 2>, wg::max_registers<32>,
                                     wg::dynamic_shared_memory<1024>, wg::min_blocks_per_sm<1>> {};
struct at_the_edge_contract
    : wg::contract<wg::threads_per_block<128>, wg::static_shared_memory<1024>, wg::dynamic_shared_memory<47 * 1024>> {};
struct over_the_edge_contract : wg::contract<wg::threads_per_block<128>, wg::static_shared_memory<1024>,
                                             wg::dynamic_shared_memory<47 * 1024 + 1>> {};
struct bare_contract : wg::contract<wg::threads_per_block<128>> {};
struct varying_contract
    : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::threads_per_block<384>, wg::cluster_size<4>,
                                                      wg::dynamic_shared_memory<200 * 1024>>> {};
struct shaped_contract : wg::contract<wg::threads_per_block<128>, wg::on<wg::sm<90>, wg::cluster_size<2, 3>>> {};
struct wide_cluster_contract : wg::contract<wg::threads_per_block<128>, wg::on<wg::sm<90>, wg::cluster_size<16>>> {};
struct large_contract : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory<120 * 1024>> {};
struct tile;
using swizzled_layout = wg::shared_layout<wg::shared_array<tile, float, 256, wg::swizzle_alignment>>;
struct swizzled_contract : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory_of<swizzled_layout>> {};

}  // namespace

TEST_CASE("the launch has the block and the bytes of the contract, and the grid and the stream of the caller") {
  CHECK(launch_recorded<plain_contract>() == cudaSuccess);
  CHECK(wg::why_refused() == wg::launch_refusal::none);
  CHECK(runtime.launches == 1);
  CHECK(runtime.config.blockDim.x == 32);
  CHECK(runtime.config.blockDim.y == 4);
  CHECK(runtime.config.blockDim.z == 2);
  CHECK(runtime.config.gridDim.x == 16);
  CHECK(runtime.config.gridDim.y == 5);
  CHECK(runtime.config.gridDim.z == 3);
  CHECK(runtime.config.dynamicSmemBytes == 1024);
  CHECK(runtime.config.stream == reinterpret_cast<cudaStream_t>(0x10));
  CHECK(runtime.config.numAttrs == (has_launch_carveout ? 1 : 0));
  CHECK(runtime.function == reinterpret_cast<void const*>(kernel));
  CHECK(runtime.first_argument == 42);
  CHECK(runtime.second_argument == 0.5f);
}

TEST_CASE("cooperative launches, programmatic dependent launches, and both with a cluster") {
  start();
  wg::launch_options options{dim3(8)};
  options.cooperative = true;
  CHECK(wg::launch<plain_contract>(kernel, options, 1, 2.0f) == cudaSuccess);
  CHECK(runtime.cooperative);
  CHECK(!runtime.programmatic);
  CHECK(runtime.config.numAttrs == (has_launch_carveout ? 2 : 1));
  options = {dim3(8)};
  options.programmatic_dependent_launch = true;
  CHECK(wg::launch<plain_contract>(kernel, options, 1, 2.0f) == cudaSuccess);
  CHECK(!runtime.cooperative);
  CHECK(runtime.programmatic);
  CHECK(runtime.config.numAttrs == (has_launch_carveout ? 2 : 1));
  options.cooperative = true;
  CHECK(wg::launch<varying_contract>(kernel, options, 1, 2.0f) == cudaSuccess);
  CHECK(runtime.cooperative);
  CHECK(runtime.programmatic);
  CHECK(runtime.cluster.x == 4);
}

TEST_CASE("kernels may be template instances, noexcept functions and cudaKernel_t") {
  start();
  CHECK(wg::launch<plain_contract>(never_throws, dim3(1), no_stream, 1, 2.0f) == cudaSuccess);
  CHECK(wg::launch<plain_contract>(instance<7>, dim3(1), no_stream, 3, 4.0f) == cudaSuccess);
  CHECK(runtime.function == reinterpret_cast<void const*>(instance<7>));
  auto const loaded = reinterpret_cast<cudaKernel_t>(0x1000);
  CHECK(wg::launch<plain_contract>(loaded, dim3(1), no_stream, 5, 6.0f) == cudaSuccess);
  CHECK(runtime.function == reinterpret_cast<void const*>(0x1000));
  CHECK(runtime.first_argument == 5);
  CHECK(runtime.second_argument == 6.0f);
  CHECK(wg::launch<plain_contract>(loaded, wg::launch_options{dim3(2)}, 5, 6.0f) == cudaSuccess);
}

namespace {
/// A stream of the caller's own type, and a value that only a brace can make.
struct own_stream {
  operator cudaStream_t() const { return reinterpret_cast<cudaStream_t>(0x30); }
};
struct made_by_braces {
  int number;
};
void takes_pointers(made_by_braces, float const*, void*) {}
}  // namespace

TEST_CASE("every argument that converts is taken: the overloads that refuse never come first") {
  auto const launched = [](cudaError_t status) { return status == cudaSuccess && runtime.launches == 1; };
  auto const restart = [] {
    fake_runtime answers;
    answers.kernel_parameters = 0;
    start(answers);
  };
  float value = 0;
  float* const pointer = &value;
  restart();
  CHECK(launched(wg::launch<bare_contract>(takes_pointers, 4, 0, {7}, pointer, pointer)));
  CHECK(runtime.config.gridDim.x == 4);
  CHECK(runtime.config.stream == nullptr);
  restart();
  CHECK(launched(wg::launch<bare_contract>(takes_pointers, {4, 5, 6}, nullptr, made_by_braces{7}, 0, NULL)));
  CHECK(runtime.config.gridDim.y == 5);
  restart();
  CHECK(launched(wg::launch<bare_contract>(takes_pointers, dim3(2), own_stream{}, {7}, nullptr, nullptr)));
  CHECK(runtime.config.stream == own_stream{});
  restart();
  CHECK(launched(wg::launch<bare_contract>(&takes_pointers, {dim3(2), own_stream{}}, {7}, {}, {})));
  CHECK(runtime.config.stream == own_stream{});
  restart();
  CHECK(launched(wg::launch<bare_contract>(*takes_pointers, wg::launch_options{dim3(3)}, {7}, pointer, pointer)));
  restart();
  CHECK(launched(wg::launch<bare_contract const>(kernel, 1u, no_stream, 'a', 1)));
  restart();
  CHECK(launched(wg::launch<bare_contract>(no_parameters, 1, 0)));
}

TEST_CASE("each kernel is prepared once on each device") {
  CHECK(launch_recorded<over_the_edge_contract>() == cudaSuccess);
  CHECK(launch_again<over_the_edge_contract>() == cudaSuccess);
  CHECK(runtime.launches == 2);
  CHECK(runtime.attribute_queries == queries_of_prepare);
  CHECK(runtime.device_queries == 3);
  CHECK(runtime.opt_in_calls == 1);
  // Another kernel.
  CHECK(wg::launch<over_the_edge_contract>(instance<1>, dim3(1), no_stream, 1, 1.0f) == cudaSuccess);
  CHECK(runtime.opt_in_calls == 2);
  // Another device, and the first one again.
  runtime.device = 1;
  CHECK(launch_again<over_the_edge_contract>() == cudaSuccess);
  CHECK(runtime.opt_in_calls == 3);
  CHECK(runtime.opt_in_bytes == 166912 - 1024);
  runtime.device = 0;
  CHECK(launch_again<over_the_edge_contract>() == cudaSuccess);
  CHECK(runtime.opt_in_calls == 3);
  // After cudaDeviceReset().
  wg::forget_prepared_kernels();
  CHECK(launch_again<over_the_edge_contract>() == cudaSuccess);
  CHECK(runtime.opt_in_calls == 4);
}

TEST_CASE("many kernels of one contract are each prepared once on each of several devices") {
  start();
  constexpr int kernels = 1500;
  auto const kernel_of = [](int i) {
    return reinterpret_cast<cudaKernel_t>(static_cast<std::uintptr_t>(0x1000 + 64 * i));
  };
  for (int round = 0; round < 3; ++round) {
    for (int const device : {0, 1, 99}) {
      runtime.device = device;
      for (int i = 0; i < kernels; ++i) {
        if (wg::launch<over_the_edge_contract>(kernel_of(i), dim3(1), no_stream, 1, 1.0f) != cudaSuccess) FAIL(i);
      }
    }
  }
  CHECK(runtime.launches == 9 * kernels);
  CHECK(runtime.attribute_queries == 3 * kernels * queries_of_prepare);
  CHECK(runtime.opt_in_calls == 3 * kernels);
}

TEST_CASE("after prepare() a launch queries nothing more") {
  start();
  CHECK(wg::prepare<over_the_edge_contract>(kernel) == cudaSuccess);
  CHECK(runtime.launches == 0);
  CHECK(runtime.opt_in_calls == 1);
  CHECK(launch_again<over_the_edge_contract>() == cudaSuccess);
  CHECK(runtime.attribute_queries == queries_of_prepare);
  CHECK(runtime.opt_in_calls == 1);
  CHECK(wg::prepare<over_the_edge_contract>(reinterpret_cast<cudaKernel_t>(0x1000)) == cudaSuccess);
  CHECK(runtime.opt_in_calls == 2);
  runtime.device = 2;  // 8.6, whose blocks have 99 KiB
  runtime.compiled_for = 80;
  CHECK(wg::prepare<large_contract>(kernel) == cudaErrorNotSupported);
  CHECK(wg::why_refused() == wg::launch_refusal::broken_on_device);
}

TEST_CASE("several threads may make the first launch of a kernel at once") {
  for (int round = 0; round < 50; ++round) {
    start();
    std::vector<cudaError_t> status(4, cudaErrorUnknown);
    std::vector<std::thread> threads;
    for (cudaError_t& mine : status) threads.emplace_back([&mine] { mine = launch_again<over_the_edge_contract>(); });
    for (std::thread& thread : threads) thread.join();
    for (cudaError_t const one : status) CHECK(one == cudaSuccess);
    CHECK(runtime.launches == 4);
    CHECK(runtime.opt_in_calls >= 1);
    CHECK(runtime.opt_in_calls <= 4);
  }
}

TEST_CASE("several threads may make the first launches of several kernels at once") {
  for (int round = 0; round < 20; ++round) {
    start();
    std::vector<int> failures(4, 0);
    std::vector<std::thread> threads;
    for (int& mine : failures) {
      threads.emplace_back([&mine] {
        for (int i = 0; i < 50; ++i) {
          auto const loaded = reinterpret_cast<cudaKernel_t>(static_cast<std::uintptr_t>(0x100000 + 64 * i));
          if (wg::launch<over_the_edge_contract>(loaded, dim3(1), no_stream, 1, 1.0f) != cudaSuccess) ++mine;
          // Each thread has its own last refusal.
          if (wg::launch<over_the_edge_contract>(loaded, dim3(0), no_stream, 1, 1.0f) == cudaSuccess) ++mine;
          if (wg::why_refused() != wg::launch_refusal::empty_grid) ++mine;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (int const mine : failures) CHECK(mine == 0);
    CHECK(runtime.launches == 200);
    CHECK(runtime.opt_in_calls >= 50);
    CHECK(runtime.opt_in_calls <= 200);
  }
}

TEST_CASE("files that are built for different targets launch independently") {
  wg::promise_handler const handler = wg::set_promise_handler([](wg::promise_report const&) {});
  fake_runtime answers;
  answers.compiled_for = 70;
  answers.device = 3;
  start(answers);
  auto const launch_here = [] { return wg::launch<everywhere_contract>(everywhere, dim3(1), no_stream, 1, 1.0f); };
  CHECK(launch_elsewhere() == cudaSuccess);
  CHECK(wg::last_promise().state == wg::promise_state::kept);
  CHECK(launch_here() == cudaSuccess);
  CHECK(wg::last_promise().state == wg::promise_state::unchecked_device);
  runtime.device = 0;
  CHECK(launch_here() == cudaSuccess);
  CHECK(wg::last_promise().state == wg::promise_state::kept);
  CHECK(launch_elsewhere() == cudaSuccess);
  CHECK(wg::last_promise().state == wg::promise_state::unchecked_device);
  wg::set_promise_handler(handler);
}

TEST_CASE("kernels without parameters, with structs, and with types that overload operator&") {
  fake_runtime answers;
  answers.kernel_parameters = 0;
  start(answers);
  CHECK(wg::launch<plain_contract>(no_parameters, dim3(1), no_stream) == cudaSuccess);
  CHECK(wg::launch<plain_contract>(no_parameters, wg::launch_options{dim3(1)}) == cudaSuccess);
  CHECK(wg::launch<plain_contract>(reinterpret_cast<cudaKernel_t>(0x1000), dim3(1), no_stream) == cudaSuccess);
  CHECK(runtime.launches == 3);
  runtime.kernel_parameters = 2;
  hides_its_address const seven{7};
  CHECK(wg::launch<plain_contract>(takes_structs, dim3(1), no_stream, seven, 8.0f) == cudaSuccess);
  CHECK(runtime.first_argument == 7);
  CHECK(runtime.second_argument == 8.0f);
  CHECK(wg::launch<plain_contract>(reinterpret_cast<cudaKernel_t>(0x1000), dim3(1), no_stream, seven, 9.0f) ==
        cudaSuccess);
  CHECK(runtime.first_argument == 7);
}

TEST_CASE("above 48 KiB of static and dynamic memory together, the kernel opts in to all that a block can have") {
  fake_runtime answers;
  answers.kernel_static_bytes = 1024;
  launch_recorded<at_the_edge_contract>(answers);
  CHECK(runtime.opt_in_calls == 0);
  launch_recorded<over_the_edge_contract>(answers);
  CHECK(runtime.opt_in_calls == 1);
  CHECK(runtime.opt_in_bytes == 232448 - 1024);
  // The device reports less than the table has.
  answers.opt_in[0] = 100000;
  launch_recorded<over_the_edge_contract>(answers);
  CHECK(runtime.opt_in_bytes == 100000 - 1024);
}

#if CUDART_VERSION >= 12050
TEST_CASE("the carve-out of a launch is large enough for the blocks of the contract") {
  fake_runtime answers;
  answers.kernel_static_bytes = 0;
  launch_recorded<bare_contract>(answers);  // without shared memory there is none
  CHECK(runtime.launch_carveout == -1);
  // 4 blocks of 48 KiB and 1 KiB each: 196 of 228 KiB
  launch_recorded<at_the_edge_contract>();
  CHECK(228 * runtime.launch_carveout / 100 <= 228);
  CHECK(228 * runtime.launch_carveout > 164 * 100);
  // 8 blocks of 256 threads with 2 KiB each: 16 KiB
  launch_recorded<plain_contract>(answers);
  CHECK(228 * runtime.launch_carveout > 8 * 100);
  CHECK(228 * runtime.launch_carveout <= 16 * 100);
  // With 8 KiB that the contract does not state, 8 times 10 KiB.
  answers.kernel_static_bytes = 8192;
  launch_recorded<plain_contract>(answers);
  CHECK(228 * runtime.launch_carveout > 64 * 100);
  CHECK(228 * runtime.launch_carveout <= 100 * 100);
  // Each launch has its own, so two contracts of one kernel do not change each other's.
  CHECK(runtime.carveout == -1);
}

TEST_CASE(
    "a carve-out that the program has set for the kernel is raised if it is too small, and used if it is larger") {
  fake_runtime answers;
  answers.kernel_carveout = 50;
  launch_recorded<plain_contract>(answers);
  CHECK(runtime.carveout == -1);
  CHECK(runtime.launch_carveout == 50);
  launch_recorded<at_the_edge_contract>(answers);
  CHECK(runtime.carveout > 50);
  CHECK(runtime.launch_carveout == runtime.carveout);
}
#endif

TEST_CASE("a driver without a carve-out of each launch gets one of the kernel, which never becomes smaller") {
  fake_runtime answers;
  answers.driver_version = 12040;
  launch_recorded<at_the_edge_contract>(answers);
  CHECK(runtime.launch_carveout == -1);
  CHECK(228 * runtime.carveout > 164 * 100);
  answers.kernel_carveout = 50;
  launch_recorded<plain_contract>(answers);
  CHECK(runtime.carveout == -1);
  launch_recorded<at_the_edge_contract>(answers);
  CHECK(runtime.carveout > 50);
}

TEST_CASE("the options of on<> follow the architecture that the kernel was compiled for") {
  fake_runtime answers;
  answers.compiled_for = 90;
  launch_recorded<varying_contract>(answers);
  CHECK(runtime.config.blockDim.x == 384);
  CHECK(runtime.config.dynamicSmemBytes == 200 * 1024);
  CHECK(runtime.opt_in_bytes == 232448 - 1024);
  CHECK(runtime.cluster.x == 4);
  CHECK(runtime.cluster_opt_ins == 0);

  answers.compiled_for = 80;
  launch_recorded<varying_contract>(answers);
  CHECK(runtime.config.blockDim.x == 256);
  CHECK(runtime.config.dynamicSmemBytes == 0);
  CHECK(runtime.opt_in_calls == 0);
  CHECK(runtime.cluster.x == 0);
}

TEST_CASE("a grid must be whole clusters in each dimension") {
  CHECK(launch_recorded<shaped_contract>() == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == wg::launch_refusal::partial_cluster);
  for (dim3 const grid : {dim3(15, 6, 1), dim3(16, 5, 1), dim3(16, 7, 1)}) {
    CHECK(wg::launch<shaped_contract>(kernel, grid, no_stream, 1, 1.0f) == cudaErrorInvalidConfiguration);
    CHECK(wg::why_refused() == wg::launch_refusal::partial_cluster);
  }
  CHECK(wg::launch<shaped_contract>(kernel, dim3(16, 6, 1), no_stream, 1, 1.0f) == cudaSuccess);
  CHECK(runtime.cluster.x == 2);
  CHECK(runtime.cluster.y == 3);
  CHECK(runtime.cluster.z == 1);
  CHECK(runtime.cluster_opt_ins == 0);

  dim3 grid(0);
  CHECK(wg::resident_grid<shaped_contract>(kernel, grid) == cudaSuccess);
  CHECK(grid.x == 33 * 2);
  CHECK(grid.y == 3);
  CHECK(grid.z == 1);
  CHECK(runtime.occupancy_cluster.x == 2);
  CHECK(runtime.occupancy_cluster.y == 3);
  CHECK(wg::launch<shaped_contract>(kernel, grid, no_stream, 1, 1.0f) == cudaSuccess);

  fake_runtime answers;
  answers.compiled_for = 80;
  CHECK(launch_recorded<shaped_contract>(answers) == cudaSuccess);
  CHECK(runtime.cluster.x == 0);
}

TEST_CASE("a cluster of more than 8 blocks opts in to non-portable sizes") {
  launch_recorded<wide_cluster_contract>();
  CHECK(runtime.cluster.x == 16);
  CHECK(runtime.cluster_opt_ins == 1);
}

TEST_CASE("bad input is refused before the launch, with a reason") {
  using why = wg::launch_refusal;
  start();
  void (*const null)(int, float) = nullptr;
  CHECK(wg::launch<plain_contract>(null, dim3(1), no_stream, 1, 1.0f) == cudaErrorInvalidDeviceFunction);
  CHECK(wg::why_refused() == why::null_kernel);
  CHECK(wg::launch<plain_contract>(cudaKernel_t{}, dim3(1), no_stream, 1, 1.0f) == cudaErrorInvalidDeviceFunction);
  CHECK(wg::why_refused() == why::null_kernel);

  auto const grid = [](dim3 blocks) {
    CHECK(wg::launch<varying_contract>(kernel, blocks, no_stream, 1, 1.0f) == cudaErrorInvalidConfiguration);
    return wg::why_refused();
  };
  CHECK(grid(dim3(0)) == why::empty_grid);
  CHECK(grid(dim3(4, 0)) == why::empty_grid);
  CHECK(grid(dim3(4, 1, 0)) == why::empty_grid);
  CHECK(grid(dim3(0x80000000u)) == why::grid_too_large);
  CHECK(grid(dim3(4, 65536)) == why::grid_too_large);
  CHECK(grid(dim3(4, 1, 65536)) == why::grid_too_large);
  CHECK(grid(dim3(6)) == why::partial_cluster);
  CHECK(runtime.launches == 0);
  CHECK(wg::launch<plain_contract>(kernel, dim3(1), no_stream, 1, 1.0f) == cudaSuccess);
  CHECK(wg::why_refused() == why::none);

  fake_runtime answers;
  answers.kernel_threads = 255;
  check_refused<plain_contract>(why::kernel_threads, cudaErrorInvalidConfiguration, answers);
  answers = {};
  answers.kernel_static_bytes = 232448 - 1023;
  check_refused<plain_contract>(why::kernel_shared_memory, cudaErrorInvalidConfiguration, answers);
  answers.kernel_static_bytes = 0;
  answers.opt_in[0] = 1023;
  check_refused<plain_contract>(why::kernel_shared_memory, cudaErrorInvalidConfiguration, answers);
  answers = {};
  answers.device = 2;  // code of 8.0 on 8.6, where a block has 99 KiB
  answers.compiled_for = 80;
  check_refused<large_contract>(why::broken_on_device, cudaErrorNotSupported, answers);
  answers.device = 1;
  CHECK(launch_recorded<large_contract>(answers) == cudaSuccess);
  // A refusal is not cached.
  answers = {};
  answers.kernel_threads = 255;
  check_refused<plain_contract>(why::kernel_threads, cudaErrorInvalidConfiguration, answers);
  runtime.kernel_threads = 1024;
  runtime.kernel_static_bytes = 0;
  CHECK(launch_again<plain_contract>() == cudaSuccess);
}

TEST_CASE("a layout begins after the kernel's static shared memory and must be aligned there") {
  using why = wg::launch_refusal;
  fake_runtime answers;
  for (int const static_bytes : {0, 1024, 2048}) {
    answers.kernel_static_bytes = static_bytes;
    CHECK(launch_recorded<swizzled_contract>(answers) == cudaSuccess);
  }
  for (int const static_bytes : {16, 512, 1040}) {
    answers.kernel_static_bytes = static_bytes;
    check_refused<swizzled_contract>(why::kernel_alignment, cudaErrorInvalidConfiguration, answers);
    // dynamic_shared_memory<> without a layout needs no alignment.
    CHECK(launch_recorded<plain_contract>(answers) == cudaSuccess);
  }
}

TEST_CASE("a kernel that was compiled for a cluster size is launched with that size or not at all") {
  using why = wg::launch_refusal;
  fake_runtime answers;
  answers.kernel_cluster = dim3(2, 3, 1);
  CHECK(launch_recorded<bare_contract>(answers) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::kernel_cluster);
  start(answers);
  CHECK(wg::launch<shaped_contract>(kernel, dim3(2, 3), no_stream, 1, 1.0f) == cudaSuccess);
  answers.kernel_cluster = dim3(3, 2, 1);
  check_refused<shaped_contract>(why::kernel_cluster, cudaErrorInvalidConfiguration, answers);
  answers.kernel_cluster = dim3(1, 1, 1);
  CHECK(launch_recorded<bare_contract>(answers) == cudaSuccess);
}

TEST_CASE("every refusal has a description") {
  for (int i = 0; i <= static_cast<int>(wg::launch_refusal::no_memory); ++i) {
    CHECK(wg::describe(static_cast<wg::launch_refusal>(i))[0] != '\0');
  }
}

TEST_CASE(
    "a kernel that was not prepared before a capture fails there if the runtime refuses the queries, and works later") {
  start();
  runtime.on_query = cudaErrorStreamCaptureUnsupported;
  for (int i = 0; i < 2; ++i) {
    CHECK(launch_again<over_the_edge_contract>() == cudaErrorStreamCaptureUnsupported);
    CHECK(wg::why_refused() == wg::launch_refusal::runtime);
  }
  CHECK(runtime.launches == 0);
  runtime.on_query = cudaSuccess;
  CHECK(wg::prepare<over_the_edge_contract>(kernel) == cudaSuccess);
  // From now on the launch makes none of these calls.
  runtime.on_query = cudaErrorStreamCaptureUnsupported;
  runtime.on_opt_in = cudaErrorStreamCaptureUnsupported;
  CHECK(launch_again<over_the_edge_contract>() == cudaSuccess);
}

TEST_CASE("an error of the runtime stops the launch and is returned") {
  using why = wg::launch_refusal;
  fake_runtime answers;
  answers.on_device = cudaErrorInitializationError;
  check_refused<plain_contract>(why::runtime, cudaErrorInitializationError, answers);
  answers = {};
  answers.on_query = cudaErrorIllegalAddress;  // a sticky error of an earlier launch
  check_refused<varying_contract>(why::runtime, cudaErrorIllegalAddress, answers);
  answers = {};
  answers.on_opt_in = cudaErrorInvalidValue;
  check_refused<varying_contract>(why::runtime, cudaErrorInvalidValue, answers);

  answers = {};
  answers.on_launch = cudaErrorInvalidResourceHandle;  // a destroyed stream
  CHECK(launch_recorded<plain_contract>(answers) == cudaErrorInvalidResourceHandle);
  CHECK(wg::why_refused() == why::runtime);
  CHECK(launch_again<plain_contract>() == cudaErrorInvalidResourceHandle);  // now the kernel is prepared
  runtime.on_launch = cudaErrorIllegalAddress;                              // sticky: every launch returns it
  for (int i = 0; i < 3; ++i) {
    CHECK(launch_again<plain_contract>() == cudaErrorIllegalAddress);
    CHECK(wg::why_refused() == why::runtime);
  }
  runtime.on_launch = cudaErrorCooperativeLaunchTooLarge;
  CHECK(launch_again<plain_contract>() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(wg::why_refused() == why::cooperative_grid);

  answers = {};
  answers.on_query = cudaErrorNoKernelImageForDevice;  // the binary has only code for another GPU, such as 10.0a
  answers.device = 2;
  check_refused<bare_contract>(why::runtime, cudaErrorNoKernelImageForDevice, answers);
}
