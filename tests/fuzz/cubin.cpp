// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads any bytes as device code: the reader stays within them, and takes each kernel's name from them.

#include "cubin.hpp"

#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const bytes = fuzz::text_of(data, size);
  measure::device_code const code = measure::read_device_code(bytes);
  fuzz::require(code.is_present || code.kernels.empty(), "kernels are in device code");
  fuzz::require(code.digest.bytes <= size || code.is_known_format, "the digest is that of the file");
  for (measure::kernel_facts const& kernel : code.kernels) {
    fuzz::require(measure::has(bytes, kernel.symbol), "the name of a kernel is in the file", kernel.symbol);
    fuzz::require(kernel.max_threads >= 0, "a block has no negative number of threads", kernel.symbol);
  }
  return 0;
}
