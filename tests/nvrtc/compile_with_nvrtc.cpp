// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// NVRTC as a compiler with a command line, so that scripts can test it as they test nvcc. Needs no GPU.
///
///     compile_with_nvrtc [OPTION...] SOURCE [-o PTX]
///
/// The options are NVRTC's. Prints NVRTC's log to the standard error. Exits with 1 if the source does not compile.

#include "compile.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  std::string source;
  std::string output;
  std::vector<std::string> options;
  for (int index = 1; index < argc; ++index) {
    std::string const argument = argv[index];
    if (argument == "-o" && index + 1 < argc) {
      output = argv[++index];
    } else if (argument[0] == '-') {
      options.push_back(argument);
    } else {
      source = argument;
    }
  }
  std::ifstream file(source);
  if (!file) {
    std::fprintf(stderr, "compile_with_nvrtc: cannot read the source '%s'\n", source.c_str());
    return 2;
  }
  std::string const text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  nvrtc_tests::compiled const compiled = nvrtc_tests::compile(source, text, options);
  std::fputs(compiled.log.c_str(), stderr);
  if (compiled.result != NVRTC_SUCCESS) {
    std::fprintf(stderr, "%s\n", nvrtcGetErrorString(compiled.result));
    return 1;
  }
  if (output.empty()) return 0;
  std::ofstream(output, std::ios::app) << compiled.ptx;
  return 0;
}
