// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What the examples share besides their contracts: whether there is a GPU, errors as exceptions, memory on the device.

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

/// Memory on the device for `size` values.
template <class T>
class device_buffer {
 public:
  explicit device_buffer(std::size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T))); }
  explicit device_buffer(std::vector<T> const& values) : device_buffer(values.size()) {
    check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_buffer(device_buffer const&) = delete;
  device_buffer& operator=(device_buffer const&) = delete;
  ~device_buffer() { cudaFree(data_); }

  T* data() const { return data_; }

  /// Waits for what was launched before in the default stream.
  std::vector<T> to_host() const {
    std::vector<T> values(size_);
    check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

/// Blocks that cover `count` items, `per_block` each.
constexpr unsigned blocks_for(int count, int per_block) { return static_cast<unsigned>((count - 1) / per_block + 1); }

/// Runs `is_right` where there is a GPU, prints one line, and returns what main returns.
template <class Test>
int run(char const* name, Test is_right) {
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
    bool const right = is_right();
    std::printf("%s: %s on %s\n", name, right ? "right" : "WRONG", device.name);
    return right ? 0 : 1;
  } catch (std::exception const& error) {
    std::printf("%s: %s\n", name, error.what());
    return 1;
  }
}

}  // namespace examples
