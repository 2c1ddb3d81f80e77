// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// An export of Nsight Compute: any text is read or refused, what is refused has a reason, and what is read stands in
/// the text.

#include "query/profile_text.hpp"

#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  measure::failures failed = fuzz::silent();
  std::vector<measure::profiled_kernel> const kernels = measure::read_profile(text, "export", failed);
  fuzz::require(kernels.empty() == (failed.count != 0), "an export has kernels, or it is an error", text);
  std::size_t const lines = measure::lines_of(text).size();
  for (measure::profiled_kernel const& each : kernels) {
    fuzz::require(each.line >= 1 && each.line <= lines, "a kernel stands on a line of the export", text);
    fuzz::require(each.launches >= 1, "a kernel was launched", text);
    fuzz::require(!each.registers.is_known || each.registers.value >= 0, "no number is negative", text);
    measure::comparable_name(each.name);
  }
  measure::comparable_name(text);
  return 0;
}
