// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The text beside an object, and the arguments of nvcc in it: a kernel is reported only with all of its lines, and no
/// part of the text is taken for the whole.

#include <algorithm>

#include "build.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  measure::object_text parsed;
  if (!parse_object_text(text, parsed).empty()) return 0;
  measure::object_facts facts;
  read_arguments(parsed.arguments, facts);
  fuzz::require(!facts.flags.empty() && !measure::has(facts.flags, " "), "flags are one word", facts.flags);

  measure::ptxas_report report;
  std::string const file = "file";
  measure::reader(report, file, file, facts.flags, facts.relocatable).read(parsed.lines, parsed.begin, parsed.end);
  if (!report.errors.empty()) return 0;
  for (measure::row const& each : report.rows) {
    fuzz::require_complete_block(parsed.lines, each.line, each.symbol, each.compute_capability, each.registers);
  }

  auto const may_be_end = [](std::string const& line) { return measure::begins(line, "end"); };
  if (std::count_if(parsed.lines.begin(), parsed.lines.end(), may_be_end) != 1) return 0;
  for (std::size_t length = 0; length < text.size() && length < 2000; ++length) {
    measure::object_text part;
    bool const is_accepted = parse_object_text(text.substr(0, length), part).empty();
    fuzz::require(!is_accepted || part.lines == parsed.lines, "a text that is cut is refused", text.substr(0, length));
  }
  return 0;
}
