// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What the fuzz targets share. A target is one function over bytes; libFuzzer calls it. It aborts if a property that
/// the readers promise does not hold.

#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ptxas_text.hpp"
#include "text.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace fuzz {

inline std::string text_of(std::uint8_t const* data, std::size_t size) {
  return {reinterpret_cast<char const*>(data), size};
}

inline void require(bool holds, std::string const& property, std::string const& about = "") {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s: %s\n", property.c_str(), about.c_str());
  std::abort();
}

/// A file in memory, because the readers read files.
class memory_file {
 public:
  explicit memory_file(std::string const& text) : file_(memfd_create("fuzz", 0)) {
    require(file_ >= 0 && write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
            "a file in memory can be written");
  }
  memory_file(memory_file const&) = delete;
  ~memory_file() { close(file_); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

inline measure::failures silent() {
  measure::failures result;
  result.silent = true;
  return result;
}

/// A kernel may only be reported if the text has all of its lines: its name and architecture, then its stack and
/// spills, then its registers, and no other kernel between them. `line` is where it begins, from 1 on. Reads the lines
/// in another way than the reader does.
inline void require_complete_block(std::vector<std::string> const& lines, std::size_t line, std::string const& symbol,
                                   int compute_capability, int registers) {
  using measure::has;
  require(line >= 1 && line <= lines.size(), "a kernel begins in a line of the text", symbol);
  std::string const& first = lines[line - 1];
  require(has(first, "Compiling entry function") && has(first, "'" + symbol + "'") &&
              has(first, "_" + std::to_string(compute_capability)),
          "a kernel begins with its name and architecture", first);
  bool is_named = false;
  bool has_frame = false;
  for (std::size_t i = line; i < lines.size(); ++i) {
    std::string const& text = lines[i];
    require(!has(text, "Compiling entry function"), "no other kernel begins within a kernel", text);
    if (has(text, "Function properties for ")) is_named = has(text, "Function properties for " + symbol);
    has_frame = has_frame || (is_named && has(text, "bytes stack frame") && has(text, "spill loads"));
    if (measure::begins(text, "ptxas info") && has(text, "Used ")) {
      require(has_frame, "the stack and the spills of a kernel come before its registers", text);
      std::size_t const at = text.find("Used ");
      std::size_t const end = text.find(" registers", at);
      require(end != std::string::npos, "the numbers of a kernel have its registers", text);
      int sum = 0;
      std::size_t const begin = text.rfind(' ', end - 1) + 1;
      for (std::string const& part : measure::split(text.substr(begin, end - begin), '+'))
        sum += std::atoi(part.c_str());
      require(sum == registers, "the registers of a kernel are those of its line", text);
      return;
    }
  }
  require(false, "a kernel ends with its registers", symbol);
}

}  // namespace fuzz
