// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What launch() asks of the CUDA runtime, seen by a runtime that only writes down what it was asked. The real one is
/// not linked: this is plain C++ against the toolkit's headers. That a GPU then does as asked is what the examples
/// show.

#include <doctest/doctest.h>

#include <warpguard/launch.cuh>

namespace wg = warpguard;

namespace {

struct recorder {
  int launches = 0;
  int opt_in_calls = 0;
  int opt_in_bytes = -1;
  int cluster_opt_ins = 0;
  int attribute_queries = 0;
  cudaLaunchConfig_t config{};
  unsigned cluster = 0;
  void const* function = nullptr;
  int first_argument = 0;
  float second_argument = 0;

  // what the runtime answers
  int compiled_for = 90;
  cudaError_t on_query = cudaSuccess;
  cudaError_t on_opt_in = cudaSuccess;
  cudaError_t on_launch = cudaSuccess;
};
recorder runtime;

}  // namespace

extern "C" {

cudaError_t CUDARTAPI cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const*) {
  ++runtime.attribute_queries;
  attributes->ptxVersion = runtime.compiled_for;
  return runtime.on_query;
}

cudaError_t CUDARTAPI cudaFuncSetAttribute(void const*, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    ++runtime.opt_in_calls;
    runtime.opt_in_bytes = value;
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed && value == 1) ++runtime.cluster_opt_ins;
  return runtime.on_opt_in;
}

cudaError_t CUDARTAPI cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* function, void** arguments) {
  ++runtime.launches;
  runtime.config = *config;
  runtime.function = function;
  runtime.cluster = config->numAttrs == 1 && config->attrs[0].id == cudaLaunchAttributeClusterDimension
                        ? config->attrs[0].val.clusterDim.x
                        : 0;
  runtime.first_argument = *static_cast<int*>(arguments[0]);
  runtime.second_argument = *static_cast<float*>(arguments[1]);
  return runtime.on_launch;
}

}  // extern "C"

namespace {

void kernel(int, float) {}

struct plain_contract
    : wg::contract<wg::threads_per_block<32, 4, 2>, wg::dynamic_shared_memory<1024>, wg::min_blocks_per_sm<1>> {};
struct at_the_edge_contract
    : wg::contract<wg::threads_per_block<128>, wg::static_shared_memory<1024>, wg::dynamic_shared_memory<47 * 1024>> {};
struct over_the_edge_contract : wg::contract<wg::threads_per_block<128>, wg::static_shared_memory<1024>,
                                             wg::dynamic_shared_memory<47 * 1024 + 1>> {};
struct varying_contract
    : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::threads_per_block<384>, wg::cluster_size<4>,
                                                      wg::dynamic_shared_memory<200 * 1024>>> {};
struct wide_cluster_contract : wg::contract<wg::threads_per_block<128>, wg::on<wg::sm<90>, wg::cluster_size<16>>> {};

template <class Contract>
cudaError_t launch_recorded(recorder const& answers = {}) {
  runtime = answers;
  return wg::launch<Contract>(kernel, dim3(7, 5, 3), reinterpret_cast<cudaStream_t>(0x10), 42, 0.5f);
}

}  // namespace

TEST_CASE("the block, the bytes, the grid and the stream are what was said") {
  CHECK(launch_recorded<plain_contract>() == cudaSuccess);
  CHECK(runtime.launches == 1);
  CHECK(runtime.config.blockDim.x == 32);
  CHECK(runtime.config.blockDim.y == 4);
  CHECK(runtime.config.blockDim.z == 2);
  CHECK(runtime.config.gridDim.x == 7);
  CHECK(runtime.config.gridDim.y == 5);
  CHECK(runtime.config.gridDim.z == 3);
  CHECK(runtime.config.dynamicSmemBytes == 1024);
  CHECK(runtime.config.stream == reinterpret_cast<cudaStream_t>(0x10));
  CHECK(runtime.config.numAttrs == 0);
  CHECK(runtime.function == reinterpret_cast<void const*>(kernel));
  CHECK(runtime.first_argument == 42);
  CHECK(runtime.second_argument == 0.5f);
}

TEST_CASE("a contract that is the same everywhere asks the runtime nothing before the launch") {
  launch_recorded<plain_contract>();
  CHECK(runtime.attribute_queries == 0);
  CHECK(runtime.opt_in_calls == 0);
  CHECK(runtime.cluster_opt_ins == 0);
}

TEST_CASE("the opt-in starts above 48 KiB, static and dynamic together") {
  launch_recorded<at_the_edge_contract>();
  CHECK(runtime.opt_in_calls == 0);
  launch_recorded<over_the_edge_contract>();
  CHECK(runtime.opt_in_calls == 1);
  CHECK(runtime.opt_in_bytes == 47 * 1024 + 1);
}

TEST_CASE("what differs on an architecture goes by what the kernel was compiled for") {
  recorder answers;
  answers.compiled_for = 90;
  launch_recorded<varying_contract>(answers);
  CHECK(runtime.config.blockDim.x == 384);
  CHECK(runtime.config.dynamicSmemBytes == 200 * 1024);
  CHECK(runtime.opt_in_bytes == 200 * 1024);
  CHECK(runtime.cluster == 4);
  CHECK(runtime.cluster_opt_ins == 0);

  answers.compiled_for = 80;
  launch_recorded<varying_contract>(answers);
  CHECK(runtime.config.blockDim.x == 256);
  CHECK(runtime.config.dynamicSmemBytes == 0);
  CHECK(runtime.opt_in_calls == 0);
  CHECK(runtime.cluster == 0);
}

TEST_CASE("a cluster of more than 8 blocks opts in to it") {
  launch_recorded<wide_cluster_contract>();
  CHECK(runtime.cluster == 16);
  CHECK(runtime.cluster_opt_ins == 1);
}

TEST_CASE("an error of the runtime comes back, and stops the launch") {
  recorder answers;
  answers.on_query = cudaErrorInvalidDeviceFunction;
  CHECK(launch_recorded<varying_contract>(answers) == cudaErrorInvalidDeviceFunction);
  CHECK(runtime.launches == 0);

  answers = {};
  answers.on_opt_in = cudaErrorInvalidValue;
  CHECK(launch_recorded<varying_contract>(answers) == cudaErrorInvalidValue);
  CHECK(runtime.launches == 0);

  answers = {};
  answers.on_launch = cudaErrorNoDevice;
  CHECK(launch_recorded<plain_contract>(answers) == cudaErrorNoDevice);
}
