// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests examples/device.hpp with a runtime of its own: which GPUs run an example, and what fresh memory contains.

#include "../../examples/device.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>

namespace {

/// What the runtime below answers.
int device_count = 1;
int device_major = 9;
int device_minor = 0;

/// Returns the exit code of an example, and sets `was_run`.
int exit_code(bool is_correct, bool& was_run, int only_for = 0) {
  was_run = false;
  return examples::run(
      "an example",
      [&] {
        was_run = true;
        return is_correct;
      },
      only_for);
}

}  // namespace

cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  *count = device_count;
  return device_count == 0 ? cudaErrorNoDevice : cudaSuccess;
}
cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = cudaDeviceProp{};
  std::strcpy(properties->name, "a fake");
  properties->major = device_major;
  properties->minor = device_minor;
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::calloc(bytes, 1);  // what a correct result of zeros would have left
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMemset(void* memory, int value, std::size_t bytes) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t CUDARTAPI cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
char const* CUDARTAPI cudaGetErrorString(cudaError_t) { return "an error"; }

TEST_CASE("an example for 9.0 alone runs there, and is no failure on other GPUs") {
  bool was_run = false;
  CHECK(exit_code(true, was_run, 90) == 0);
  CHECK(was_run);
  CHECK(exit_code(false, was_run, 90) == 1);
  CHECK(was_run);

  for (int const capability : {75, 86, 100, 120}) {
    device_major = capability / 10;
    device_minor = capability % 10;
    CHECK(exit_code(false, was_run, 90) == 0);
    CHECK(!was_run);
    CHECK(exit_code(false, was_run) == 1);
    CHECK(was_run);
  }

  device_count = 0;
  CHECK(exit_code(false, was_run) == 0);
  CHECK(!was_run);
}

TEST_CASE("fresh memory holds no result that is taken for correct") {
  examples::device_buffer<float> const floats(3);
  for (float const value : floats.to_host()) CHECK(value != value);
  examples::device_buffer<int> const integers(3);
  for (int const value : integers.to_host()) CHECK(value == -1);
  examples::device_buffer<unsigned> const given(std::vector<unsigned>{7u, 8u});
  CHECK(given.to_host() == std::vector<unsigned>{7u, 8u});
}
