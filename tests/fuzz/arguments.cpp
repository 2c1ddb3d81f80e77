// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Arguments: the amounts that people write on the command line, and the command line of nvcc. An amount that is read
/// is within its range and means the same when it is written as a plain number; each fact about an object comes from a
/// word of its command.

#include <climits>

#include "fuzz.hpp"
#include "nvcc_arguments.hpp"
#include "query/amounts.hpp"

namespace {

void try_amounts(std::string const& text) {
  int number = -1;
  if (measure::read_amount(text, number).empty()) {
    int again = -1;
    fuzz::require(number >= 0 && number <= 999999999, "an amount is within its range", text);
    fuzz::require(measure::read_amount(std::to_string(number), again).empty() && again == number,
                  "an amount is read as it is written", text);
  }
  long long count = -1;
  if (measure::read_count(text, count).empty()) {
    long long again = -1;
    fuzz::require(count >= 1, "a count is 1 or more", text);
    fuzz::require(measure::read_count(std::to_string(count), again).empty() && again == count,
                  "a count is read as it is written", text);
  }
  int bytes = -1;
  if (measure::read_bytes(text, bytes).empty()) {
    fuzz::require(bytes >= 0 && (text.back() == 'k' || text.back() == 'K' || text.back() == 'B'
                                     ? bytes % 1024 == 0 && bytes <= 1 << 30
                                     : bytes <= 999999999),
                  "bytes are within their range", text);
  }
  int hundredths = -1;
  if (measure::read_percent(text, hundredths).empty()) {
    fuzz::require(hundredths >= 1 && hundredths <= 10000, "a percentage is above 0 and at most 100", text);
    std::string const written =
        std::to_string(hundredths / 100) + "." + std::to_string(hundredths / 10 % 10) + std::to_string(hundredths % 10);
    int again = -1;
    fuzz::require(measure::read_percent(written, again).empty() && again == hundredths,
                  "a percentage is read as it is written", text + " as " + written);
  }
  measure::amount_range range;
  if (measure::read_range(text, measure::read_amount, range).empty()) {
    fuzz::require(range.first <= range.last, "a range ends after it begins", text);
  }
}

void try_command(std::string const& text) {
  std::vector<std::string> const words = measure::split(text, ' ');
  measure::object_facts facts;
  measure::read_arguments(words, facts);
  fuzz::require(!facts.flags.empty() && facts.flags.find(' ') == std::string::npos, "flags are one word", facts.flags);
  for (std::set<int> const* const capabilities : {&facts.real, &facts.ptx}) {
    for (int const capability : *capabilities) {
      fuzz::require(capability > 0 && measure::has(text, std::to_string(capability)),
                    "an architecture is named in the command", std::to_string(capability));
    }
  }
  for (std::string const* const path : {&facts.compiler, &facts.source}) {
    bool const is_word = path->empty() || std::find(words.begin(), words.end(), *path) != words.end();
    fuzz::require(is_word, "a path is a word of the command", *path);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  try_amounts(text);
  try_command(text);
  return 0;
}
