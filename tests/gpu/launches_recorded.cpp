// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests launches.cpp with a runtime that only records its calls: launch() of a program that is linked with
/// --wrap=cudaLaunchKernelExC writes a record that replay_launches() reads.

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <warpguard/launch.cuh>

#include "../launch/fake_runtime.hpp"
#include "launch_record.hpp"
#include "launches.hpp"

namespace wg = warpguard;

namespace {

struct promising_contract
    : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::dynamic_shared_memory<2048>,
                   wg::min_blocks_per_sm<3>, wg::max_blocks_per_sm<8>> {};
struct silent_contract : wg::contract<wg::threads_per_block<256>> {};

void kernel(int, float) {}

cudaError_t event_status = cudaSuccess;

char const* const path = "launches_recorded.txt";

/// Returns the last line of the record, and begins a new one.
std::string take_record() {
  std::ifstream file(path);
  std::string line;
  std::string last;
  while (std::getline(file, line)) last = line;
  std::remove(path);
  return last;
}

template <class Contract>
cudaError_t launch() {
  wg::forget_prepared_kernels();
  return wg::launch<Contract>(kernel, dim3(7), nullptr, 1, 2.0f);
}

gpu_test::launches_result replay(std::string const& kind, std::string const& line) {
  std::istringstream record("warpguard-launches 1\ndevice fake, not a device\ncompute_capability 90\nrun fake " + kind +
                            "\n" + line + "\nexit 0 correct\nend 1\n");
  return gpu_test::replay_launches(record);
}

}  // namespace

extern "C" {
cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t*) { return cudaSuccess; }
cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t) { return event_status; }
cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t CUDARTAPI cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 0.0125f;
  return cudaSuccess;
}
}

TEST_CASE("a launch is a line of the record") {
  runtime = fake_runtime{};
  runtime.resident_blocks = 8;
  setenv("WARPGUARD_LAUNCHES", path, 1);
  std::remove(path);
  CHECK(launch<promising_contract>() == cudaSuccess);
  CHECK(runtime.launches == 1);
  std::string const line = take_record();
  CHECK(line ==
        "launch threads=256 grid=7 registers=32 static=1024 dynamic=2048 carveout=-1 blocks=8 promised=3 allowed=8 "
        "microseconds=12.500 : name_of_the_kernel");
  gpu_test::launches_result const result = replay("plain", line);
  CHECK(result.error == "");
  CHECK(result.findings.empty());
}

TEST_CASE("a contract without a promise") {
  runtime = fake_runtime{};
  CHECK(launch<silent_contract>() == cudaSuccess);
  std::string const line = take_record();
  CHECK(line.find("promised=0 allowed=0 microseconds=12.500 : name_of_the_kernel") != std::string::npos);
}

TEST_CASE("a driver that does not know the names of kernels") {
  runtime = fake_runtime{};
  runtime.driver_version = 12020;
  CHECK(launch<promising_contract>() == cudaSuccess);
  std::string const line = take_record();
  CHECK(line.find(" : unnamed") != std::string::npos);
  CHECK(replay("plain", line).error == "");
}

TEST_CASE("a launch that fails is no line, and its error is returned") {
  runtime = fake_runtime{};
  runtime.on_launch = cudaErrorInvalidValue;
  CHECK(launch<silent_contract>() == cudaErrorInvalidValue);
  runtime = fake_runtime{};
  event_status = cudaErrorIllegalAddress;
  CHECK(launch<silent_contract>() == cudaErrorIllegalAddress);
  event_status = cudaSuccess;
  CHECK(take_record() == "");
}

TEST_CASE("a record that cannot be written is an error") {
  runtime = fake_runtime{};
  setenv("WARPGUARD_LAUNCHES", "no_such_folder/record.txt", 1);
  CHECK(launch<silent_contract>() == cudaErrorUnknown);
  setenv("WARPGUARD_LAUNCHES", path, 1);
}

TEST_CASE("an observed launch has what its warps wrote") {
  runtime = fake_runtime{};
  runtime.resident_blocks = 8;
  static bool is_cleared;
  is_cleared = false;
  gpu_test::observer.clear = [] {
    is_cleared = runtime.launches == 0;
    return cudaSuccess;
  };
  gpu_test::observer.read = [](std::size_t count, std::vector<gpu_test::resident_warp>& warps) {
    CHECK(count == 56);
    warps.assign(count, {10, 20, 0});
    return cudaSuccess;
  };
  CHECK(launch<promising_contract>() == cudaSuccess);
  CHECK(is_cleared);
  std::string const line = take_record();
  CHECK(line.find("microseconds=12.500 warps=56 observed=56 resident=56.000 seen=7 : name") != std::string::npos);
  CHECK(replay("observed", line).error == "");
  gpu_test::observer = {};
}

TEST_CASE("without the variable nothing is written") {
  runtime = fake_runtime{};
  unsetenv("WARPGUARD_LAUNCHES");
  CHECK(launch<promising_contract>() == cudaSuccess);
  CHECK(runtime.launches == 1);
  CHECK(take_record() == "");
}
