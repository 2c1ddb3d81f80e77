// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The kernels that CHECKS name: each part of a name is a word of the text.

#include "fuzz.hpp"
#include "mentioned_kernels.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  fuzz::memory_file const file(text);
  for (measure::kernel_path const& path : measure::mentioned_kernels({file.path()}, "app")) {
    fuzz::require(!path.empty(), "a name has a part");
    for (std::string const& part : path) {
      fuzz::require(measure::has(text, "::" + part), "a part of a name is in the text", part);
    }
  }
  return 0;
}
