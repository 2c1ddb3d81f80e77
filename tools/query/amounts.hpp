// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Numbers as people write them on the command line: `256`, `16k`, `64..1024`.

#pragma once

#include <algorithm>
#include <string>

#include "../text.hpp"

namespace measure {

/// All numbers from `first` to `last`.
struct amount_range {
  int first = 0;
  int last = 0;

  bool is_single() const { return first == last; }
};

/// Reads a whole number from 0 to 999999999. Returns an error message, or an empty string.
inline std::string read_amount(std::string const& text, int& number) {
  if (read_number(text, number)) return "";
  return "`" + text + "` is no whole number from 0 to 999999999";
}

/// Reads a whole number from 1 to 2^63 - 1. Returns an error message, or an empty string.
inline std::string read_count(std::string const& text, long long& number) {
  constexpr long long most = 9223372036854775807;
  long long read = 0;
  for (char c : text) {
    if (c < '0' || c > '9' || read > (most - (c - '0')) / 10) {
      read = 0;
      break;
    }
    read = 10 * read + (c - '0');
  }
  if (read == 0) return "`" + text + "` is no whole number from 1 to 9223372036854775807";
  number = read;
  return "";
}

/// Reads bytes: `16384`, or `16k`, which are 16 KiB.
inline std::string read_bytes(std::string const& text, int& bytes) {
  std::string digits = text;
  for (char const* const unit : {"KiB", "k", "K"}) {
    std::string const suffix = unit;
    if (digits.size() <= suffix.size() || digits.compare(digits.size() - suffix.size(), suffix.size(), suffix) != 0) {
      continue;
    }
    digits.resize(digits.size() - suffix.size());
    if (!read_number(digits, bytes) || bytes > 1048576) break;
    bytes *= 1024;
    return "";
  }
  if (read_number(text, bytes)) return "";
  return "`" + text + "` is no number of bytes: write 16384 or, for KiB, 16k";
}

/// Reads a percentage above 0 and up to 100, such as `62.5`, as hundredths of a percent.
inline std::string read_percent(std::string const& text, int& hundredths) {
  std::size_t const point = std::min(text.find('.'), text.size());
  std::string decimals = text.substr(std::min(point + 1, text.size()));
  bool const is_short = decimals.size() <= 2 && (point == text.size() || !decimals.empty());
  decimals.resize(2, '0');
  int whole = 0;
  int rest = 0;
  if (is_short && read_number(text.substr(0, point), whole) && whole <= 100 && read_number(decimals, rest)) {
    hundredths = 100 * whole + rest;
    if (hundredths > 0 && hundredths <= 10000) return "";
  }
  return "`" + text + "` is no percentage from 0.01 to 100 with up to two decimals";
}

/// Reads `256`, or a range such as `64..1024`.
template <class Read>
std::string read_range(std::string const& text, Read read, amount_range& range) {
  std::size_t const dots = text.find("..");
  std::string const first = text.substr(0, dots);
  std::string const last = dots == std::string::npos ? first : text.substr(dots + 2);
  std::string error = read(first, range.first);
  if (error.empty()) error = read(last, range.last);
  if (error.empty() && range.last < range.first) {
    error = "`" + text + "` ends before it begins: write " + last + ".." + first;
  }
  return error;
}

}  // namespace measure
