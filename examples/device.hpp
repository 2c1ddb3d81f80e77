// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What the examples share: they detect whether there is a GPU that can run them, convert errors to exceptions, and
/// allocate device memory.

#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace examples {

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// Device memory for `size` values. It is filled with bytes of 0xff (as float: NaN), so that a kernel that writes
/// nothing is not taken for correct because of what an earlier one left there.
template <class T>
class device_buffer {
 public:
  explicit device_buffer(std::size_t size) : size_(size) {
    check(cudaMalloc(&data_, size * sizeof(T)));
    check(cudaMemset(data_, 0xff, size * sizeof(T)));
  }
  explicit device_buffer(std::vector<T> const& values) : device_buffer(values.size()) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_buffer(device_buffer const&) = delete;
  device_buffer& operator=(device_buffer const&) = delete;
  ~device_buffer() { cudaFree(data_); }

  T* data() const { return data_; }

  /// Copies the values to the host after all earlier launches in the default stream.
  std::vector<T> to_host() const {
    std::vector<T> values(size_);
    check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

/// Returns the number of blocks for `count` items with `per_block` items each.
constexpr unsigned blocks_for(int count, int per_block) { return static_cast<unsigned>((count - 1) / per_block + 1); }

/// Calls `is_correct` if there is a GPU, prints one line, and returns the exit code of main(). If the example is
/// compiled only for the compute capability `only_for` (90 is 9.0), other GPUs do not run it, which is no failure.
template <class Test>
int run(char const* name, Test is_correct, int only_for = 0) {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    std::printf("%s: compiled, not run: no GPU\n", name);
    return 0;
  }
  try {
    check(status);
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0));
    if (only_for != 0 && 10 * device.major + device.minor != only_for) {
      std::printf("%s: compiled, not run: not for this GPU, which has compute capability %d.%d\n", name, device.major,
                  device.minor);
      return 0;
    }
    bool const correct = is_correct();
    std::printf("%s: %s on %s\n", name, correct ? "correct" : "WRONG", device.name);
    return correct ? 0 : 1;
  } catch (std::exception const& error) {
    std::printf("%s: %s\n", name, error.what());
    return 1;
  }
}

}  // namespace examples
