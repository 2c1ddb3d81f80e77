// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The request: each value is a line of it.

#include "request.hpp"

#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  fuzz::memory_file const file(text);
  measure::failures failed = fuzz::silent();
  measure::measure_request const request = measure::read_request(file.path(), failed);
  if (failed.count != 0) return 0;
  for (std::string const& object : request.objects) {
    fuzz::require(measure::has(text, "\nobject " + object), "an object is a line of the request", object);
    fuzz::require(measure::has(object, request.within_root(object)), "a path within the root is its end", object);
  }
  request.leaves_out(request.name);
  return 0;
}
