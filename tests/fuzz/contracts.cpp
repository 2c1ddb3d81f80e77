// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The file that the program of the CHECKS writes: each line is read once, and its numbers are those that it has.

#include <algorithm>

#include "entries.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  fuzz::memory_file const file(text);
  measure::measure_request request;
  request.contracts = file.path();
  request.checks = {"checks.cpp"};
  measure::failures failed = fuzz::silent();
  measure::read_checks const checks = measure::read_contracts(request, failed);
  if (failed.count != 0) return 0;
  std::vector<std::string> const lines = measure::lines_of(text);
  for (auto const& [kernel, contracts] : checks.contracts) {
    for (measure::held_contract const& contract : contracts) {
      bool const is_line = std::any_of(lines.begin(), lines.end(), [&, &kernel = kernel](std::string const& line) {
        std::vector<std::string> const parts = measure::split(line, '\t');
        if (parts.size() < 3 || parts[0] != kernel.first || parts[2] != contract.name) return false;
        std::size_t at = 3;
        for (measure::contract_field const& each : measure::contract_fields) {
          if (at >= parts.size() || std::strtold(parts[at++].c_str(), nullptr) != each.in(contract.limits))
            return false;
        }
        return at == parts.size();
      });
      fuzz::require(is_line, "the numbers of a contract are those of its line", contract.name);
    }
  }
  return 0;
}
