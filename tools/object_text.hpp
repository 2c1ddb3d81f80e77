// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The text beside an object, `<object>.ptxas`: which object it belongs to, nvcc's folder and arguments, what the
/// object says about its kernels, and what nvcc printed. A text that does not belong to its object is never read.

#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cubin.hpp"
#include "ptxas_text.hpp"
#include "text.hpp"

namespace measure {

/// What the launcher wrote beside an object.
struct object_text {
  code_digest digest;
  std::string folder;  // in which the compiler ran; empty if unknown
  std::vector<std::string> arguments;
  std::vector<kernel_facts> kernels;
  std::vector<std::string> lines;
  std::size_t begin = 0;  // the first line of nvcc's output
  std::size_t end = 0;
};

inline char const* const object_text_format = "warpguard-ptxas-text 2";

inline std::string text_path_of(std::string const& object) { return object + ".ptxas"; }

/// Whether an object was compiled from CUDA code, judged by its name: x.cu.o, but not x.cu.cpp.o.
inline bool is_named_as_cuda(std::string const& object) {
  std::string const name = object.substr(object.rfind('/') + 1);
  std::string const source = name.substr(0, name.rfind('.'));
  return source.size() > 3 && source.compare(source.size() - 3, 3, ".cu") == 0;
}

/// Reads the device code in a file. Returns false if there is no such file.
inline bool read_device_code_of(std::string const& path, device_code& code) {
  int const file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat about;
  bool const is_file = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  std::size_t const size = is_file ? static_cast<std::size_t>(about.st_size) : 0;
  void* const mapped = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  bool const is_mapped = mapped != MAP_FAILED;
  if (is_mapped || (is_file && size == 0)) {
    code = read_device_code(is_mapped ? std::string_view(static_cast<char const*>(mapped), size) : std::string_view{});
  }
  if (is_mapped) munmap(mapped, size);
  return is_mapped || (is_file && size == 0);
}

// ---- lines ----------------------------------------------------------------------------------------------------------

/// "object 52768 5dfdb4a64de7c707"
inline std::string line_of(code_digest const& digest) {
  char text[64];
  std::snprintf(text, sizeof text, "object %llu %016llx", static_cast<unsigned long long>(digest.bytes),
                static_cast<unsigned long long>(digest.hash));
  return text;
}

/// "kernel _Z3sumPf sm_90 threads=256 internal", without what is unknown or not so.
inline std::string line_of(kernel_facts const& kernel) {
  std::string line = "kernel " + kernel.symbol + " sm_" + std::to_string(kernel.compute_capability);
  if (kernel.max_threads != 0) line += " threads=" + std::to_string(kernel.max_threads);
  if (kernel.is_internal) line += " internal";
  return line;
}

/// The reverse of line_of(). Returns false if the line is anything else.
inline bool read_kernel_line(std::string const& line, kernel_facts& kernel) {
  std::vector<std::string> const words = split(line, ' ');
  if (words.size() < 3 || words[0] != "kernel") return false;
  kernel.symbol = words[1];
  kernel.compute_capability = detail::capability_in(words[2]);
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "internal") {
      kernel.is_internal = true;
    } else if (!begins(words[i], "threads=") || !read_number(words[i].substr(8), kernel.max_threads)) {
      return false;
    }
  }
  return kernel.compute_capability != 0;
}

/// Returns the lines of the object's kernels. A name with a space or a line end, which no compiler writes, is left out.
inline std::string lines_of(std::vector<kernel_facts> const& kernels) {
  std::string lines;
  for (kernel_facts const& kernel : kernels) {
    if (kernel.symbol.find_first_of(" \r\n") == std::string::npos) lines += line_of(kernel) + "\n";
  }
  return lines;
}

/// Returns an error message, or an empty string.
inline std::string parse_object_text(std::string const& text, object_text& result) {
  std::vector<std::string>& lines = result.lines = lines_of(text);
  if (lines.empty() || !begins(lines[0], "warpguard-ptxas-text "))
    return "this file was not written by warpguard compile";
  if (lines[0] != object_text_format) return "this file was written by another version of warpguard";
  std::size_t at = 1;
  bool is_good = at < lines.size() && begins(lines[at], "object ");
  if (is_good) {
    std::vector<std::string> const words = split(lines[at++], ' ');
    is_good = words.size() == 3;
    if (is_good) result.digest.bytes = std::strtoull(words[1].c_str(), nullptr, 10);
    if (is_good) result.digest.hash = std::strtoull(words[2].c_str(), nullptr, 16);
  }
  if (at < lines.size() && begins(lines[at], "folder ")) result.folder = lines[at++].substr(7);
  for (; at < lines.size() && begins(lines[at], "argument "); ++at) result.arguments.push_back(lines[at].substr(9));
  for (; is_good && at < lines.size() && begins(lines[at], "kernel "); ++at) {
    result.kernels.emplace_back();
    is_good = read_kernel_line(lines[at], result.kernels.back());
  }
  if (!is_good || at >= lines.size() || lines[at] != "text" || lines.back() != "end") return "this file is truncated";
  result.begin = at + 1;
  result.end = lines.size() - 1;
  return "";
}

/// What device code says about its kernels, to be looked up.
class known_facts {
 public:
  explicit known_facts(std::vector<kernel_facts> const& kernels) {
    for (kernel_facts const& kernel : kernels) facts_[{kernel.symbol, kernel.compute_capability}] = kernel;
  }

  void add_to(row& kernel) const {
    auto const found = facts_.find({kernel.symbol, kernel.compute_capability});
    if (found == facts_.end()) return;
    kernel.max_threads = found->second.max_threads;
    kernel.is_internal = found->second.is_internal;
  }

 private:
  std::map<std::pair<std::string, int>, kernel_facts> facts_;
};

// ---- the text of an object ------------------------------------------------------------------------------------------

/// The text of an object, if it may be believed.
struct found_text {
  object_text text;
  bool is_measured = false;
  std::string error;  // why there is none; empty for an object without device code, which needs none
};

/// A compiler that is not warpguard's launcher leaves an old text beside a new object, and so does a copy of another
/// object. Their device code differs from the digest in the text.
inline found_text find_text(std::string const& object) {
  found_text found;
  device_code code;
  bool const exists = read_device_code_of(object, code);
  std::string written;
  bool const has_text = read_file(text_path_of(object), written);
  bool const needs_text = code.is_known_format ? code.is_present : has_text || is_named_as_cuda(object);
  if (!needs_text) return found;
  if (!exists) {
    found.error = "there is no object of this name: build again, or delete this file";
  } else if (!has_text) {
    found.error =
        "cannot read this file: the object was not compiled by warpguard compile (was CUDA_COMPILER_LAUNCHER changed "
        "after the call of warpguard_measure()?)";
  } else {
    found.error = parse_object_text(written, found.text);
    if (found.error.empty() && !(found.text.digest == code.digest)) {
      found.error =
          "this file belongs to other device code than that in the object, so its numbers are not used: the object was "
          "compiled without warpguard compile, or replaced. Compile it again. If this comes back, a launcher was set "
          "after the call of warpguard_measure(), or a step after the compiler changes the device code";
    }
  }
  found.is_measured = found.error.empty();
  return found;
}

}  // namespace measure
