// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiles a text with NVRTC. Needs no GPU.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nvrtc.h>

namespace nvrtc_tests {

struct compiled {
  nvrtcResult result = NVRTC_SUCCESS;
  std::string log;
  std::string ptx;  ///< empty if the text does not compile

  /// A warning is a failure too: users compile with warnings as errors.
  bool is_clean() const { return result == NVRTC_SUCCESS && log.empty(); }

  /// The PTX from the head of a kernel to its body, where the launch bounds are; empty without such a kernel.
  std::string head_of(std::string const& kernel) const {
    std::size_t const begin = ptx.find(".entry " + kernel + "(");
    return begin == std::string::npos ? "" : ptx.substr(begin, ptx.find("\n{", begin) - begin);
  }
};

/// `name` stands for the text in messages.
inline compiled compile(std::string const& name, std::string const& text, std::vector<std::string> const& options) {
  compiled output;
  nvrtcProgram program = nullptr;
  output.result = nvrtcCreateProgram(&program, text.c_str(), name.c_str(), 0, nullptr, nullptr);
  if (output.result != NVRTC_SUCCESS) return output;
  std::vector<char const*> arguments;
  for (std::string const& option : options) arguments.push_back(option.c_str());
  output.result = nvrtcCompileProgram(program, static_cast<int>(arguments.size()), arguments.data());
  // The sizes include the 0 at the end.
  std::size_t size = 0;
  if (nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 1) {
    output.log.resize(size);
    nvrtcGetProgramLog(program, output.log.data());
    output.log.pop_back();
  }
  if (output.result == NVRTC_SUCCESS && nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS && size > 1) {
    output.ptx.resize(size);
    nvrtcGetPTX(program, output.ptx.data());
    output.ptx.pop_back();
  }
  nvrtcDestroyProgram(&program);
  return output;
}

}  // namespace nvrtc_tests
