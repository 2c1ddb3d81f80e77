// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The model and the toolkit's cuda_occupancy.h: the bytes are one question, and both give the same answer, but for the
/// inputs in docs/deviations.md. Here every amount varies, also beyond what a kernel can have.

#include "../oracle/comparison.hpp"

#include <cstring>

#include "fuzz.hpp"

namespace {

namespace wg = warpguard;

/// Reads numbers from the bytes; 0 after their end.
class numbers {
 public:
  numbers(std::uint8_t const* data, std::size_t size) : data_(data), size_(size) {}

  /// A number from `low` to `high`, of two or four bytes.
  int between(int low, int high) {
    std::uint32_t value = 0;
    std::size_t const wanted = high - low < 65536 ? 2 : 4;
    std::size_t const count = wanted < size_ - at_ ? wanted : size_ - at_;
    std::memcpy(&value, data_ + at_, count);
    at_ += count;
    return low + static_cast<int>(value % static_cast<std::uint32_t>(high - low + 1));
  }

 private:
  std::uint8_t const* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  numbers input(data, size);
  constexpr int rows = sizeof(wg::architectures) / sizeof(wg::architectures[0]);
  wg::architecture const row = as_this_header_has(*wg::architectures[input.between(0, rows - 1)]);
  if (!header_knows(row)) return 0;
  question q{&row, {input.between(1, 65536)}, {}, 0};
  q.kernel.registers_per_thread = input.between(0, 4095);  // the product with the threads is an int in the header
  // From 2 GiB on the header's sum overflows (docs/deviations.md).
  q.kernel.static_shared_memory = input.between(0, 500000);
  q.kernel.dynamic_shared_memory = input.between(0, 500000);
  q.kernel.barriers = input.between(0, 65535);
  q.kernel.virtual_resources = input.between(0, 65535);
  q.kernel.caching = static_cast<wg::partitioned_caching>(input.between(0, 2));
  q.config.carveout_percent = input.between(-1, 100);
  q.config.preference = static_cast<wg::cache_preference>(input.between(0, 3));
  q.config.opt_in = input.between(0, 1) == 1;
  q.granted_dynamic = input.between(q.kernel.dynamic_shared_memory, 1000000);

  cudaOccDeviceProp const properties = properties_of(row);
  cudaOccResult theirs{};
  wg::occupancy const ours = wg::occupancy_of(row, q.kernel, q.config);
  fuzz::require(ask_header(theirs, properties, q) == CUDA_OCC_SUCCESS, "the header answers",
                describe(row, q.kernel, q.config));
  fuzz::require(compare(ours, theirs, q) != verdict::different, "both give the same answer",
                describe(row, q.kernel, q.config));
  return 0;
}
