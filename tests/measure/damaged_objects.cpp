// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// damaged_objects <object>...
// Reads each object cut at many places and with many bytes changed. It is compiled with sanitizers, which end the
// program when it reads outside of the bytes. What is read must also be possible.

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "cubin.hpp"

namespace {

/// Reads from memory of exactly this size, so that each byte behind it is noticed.
bool read_all(std::string const& bytes) {
  std::unique_ptr<char[]> const copy(new char[bytes.size()]);
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  for (measure::kernel_facts const& kernel : measure::read_device_code({copy.get(), bytes.size()}).kernels) {
    if (kernel.max_threads < 0 || kernel.max_threads > 1024 || kernel.compute_capability <= 0) return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  std::mt19937 random(1);  // the same numbers in each run
  bool good = true;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i], std::ios::binary);
    std::string const bytes(std::istreambuf_iterator<char>(file), {});
    if (bytes.empty()) std::printf("cannot read %s\n", arguments[i]);
    good = good && !bytes.empty() && read_all(bytes);
    for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 2000) {
      good = good && read_all(bytes.substr(0, size));
    }
    for (int run = 0; run < 20000 && !bytes.empty(); ++run) {
      std::string damaged = bytes;
      for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
        damaged[random() % damaged.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random() % 256);
      }
      good = good && read_all(damaged);
    }
  }
  std::printf("%d objects: %s\n", count - 1, good ? "read" : "a number that is not possible");
  return good && count > 1 ? 0 : 1;
}
