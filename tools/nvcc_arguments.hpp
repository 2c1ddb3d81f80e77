// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads the command line of nvcc or clang: the architectures that an object was compiled for, and the arguments that
/// affect ptxas.

#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "compilation.hpp"
#include "names.hpp"
#include "ptxas_text.hpp"
#include "text.hpp"

namespace measure {

/// What one object was compiled for.
struct object_facts {
  std::string path;
  std::string compiler;   // nvcc or clang, as the command names it; empty if unknown
  std::string source;     // as nvcc got it; empty if unknown or several
  std::set<int> real;     // compute capabilities with SASS
  std::set<int> ptx;      // compute capabilities with PTX
  std::string flags;      // the arguments that affect ptxas, separated by commas; "-" if none
  bool all_real = false;  // SASS for architectures that nvcc chooses: -arch=all, all-major, native
  bool relocatable = false;
  bool link_time = false;                   // link-time optimisation
  std::vector<std::string> code_arguments;  // the arguments that name architectures, for the device link
};

namespace detail {

struct nvcc_argument {
  std::string whole;  // -arch=sm_90
  std::string name;   // -arch
  std::string value;  // sm_90; may be empty

  /// Whether the argument has one of these names.
  template <class... Name>
  bool is(Name const*... names) const {
    return (... || (name == names));
  }
};

/// Whether an option of nvcc changes how kernels are compiled. -O0 to -O3 do not: they are for the host compiler, and
/// -Xptxas has its own -O.
inline bool changes_kernels(nvcc_argument const& argument) {
  std::string const name = begins(argument.name, "--") ? argument.name.substr(1) : argument.name;
  for (char const* const known : {"-ftz", "-prec-div", "-prec-sqrt", "-fmad", "-dopt", "-Ofc", "-Ofast-compile"}) {
    if (name == known) return true;
  }
  return false;
}

/// The same for clang, whose -O0 to -O3 are for kernels too.
inline bool changes_kernels_of_clang(std::string const& word) {
  for (char const* const known :
       {"-O", "-ffast-math", "-fno-fast-math", "-ffp-contract=", "-fgpu-flush-denormals-to-zero",
        "-fcuda-flush-denormals-to-zero", "-funroll-loops", "-fno-unroll-loops"}) {
    if (begins(word, known)) return true;
  }
  return false;
}

inline bool names_code(nvcc_argument const& a) {
  return a.is("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code", "--cuda-gpu-arch",
              "--offload-arch");
}

inline bool has_value(nvcc_argument const& a) {
  return names_code(a) || changes_kernels(a) ||
         a.is("-maxrregcount", "--maxrregcount", "-Xptxas", "--ptxas-options", "-rdc", "--relocatable-device-code",
              "-Xcompiler", "--compiler-options", "-Xcuda-ptxas");
}

/// Splits a command line into arguments with their values, which may be separated by `=` or a space.
inline std::vector<nvcc_argument> split_arguments(std::vector<std::string> const& words) {
  std::vector<nvcc_argument> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    nvcc_argument argument{words[i], words[i], ""};
    if (has_value(argument) && i + 1 < words.size()) argument.whole += "=" + words[++i];
    std::size_t const equals = argument.whole.find('=');
    argument.name = argument.whole.substr(0, equals);
    if (equals != std::string::npos) argument.value = argument.whole.substr(equals + 1);
    arguments.push_back(argument);
  }
  return arguments;
}

/// Reads the architectures from an argument such as `-gencode=arch=compute_90,code=[sm_90,compute_90]`.
inline void read_code(nvcc_argument const& argument, object_facts& facts) {
  facts.code_arguments.push_back(argument.whole);
  std::string codes = argument.value;
  if (argument.is("-gencode", "--generate-code")) {
    std::size_t const at = codes.find("code=");
    codes = at == std::string::npos ? "" : codes.substr(at + 5);
  }
  std::string word;
  for (char c : codes + ",") {
    if (is_letter(c) || is_digit(c)) {
      word += c;
      continue;
    }
    int const capability = capability_in(word);
    facts.all_real = facts.all_real || word == "all" || word == "major" || word == "native";
    facts.link_time = facts.link_time || begins(word, "lto_");
    if (capability != 0) (begins(word, "sm_") ? facts.real : facts.ptx).insert(capability);
    word.clear();
  }
}

/// Appends an argument to `flags` if it affects ptxas, in a uniform spelling.
inline void read_flags(nvcc_argument const& argument, bool is_clang, std::vector<std::string>& flags) {
  if (is_clang && changes_kernels_of_clang(argument.whole)) {
    flags.push_back(argument.whole);
    return;
  }
  if (argument.is("-maxrregcount", "--maxrregcount")) {
    flags.push_back("-maxrregcount=" + argument.value);
  } else if (argument.is("-G", "--device-debug")) {
    flags.push_back("-G");
  } else if (argument.is("-Xptxas", "--ptxas-options", "-Xcuda-ptxas")) {
    for (std::string const& part : split(argument.value, ',')) {
      if (part != "-v" && part != "--verbose" && part != "-warn-spills" && part != "-Werror" && !part.empty()) {
        flags.push_back("-Xptxas=" + part);
      }
    }
  } else if (changes_kernels(argument)) {
    flags.push_back(begins(argument.whole, "--") ? argument.whole.substr(1) : argument.whole);
  } else if (argument.is("-use_fast_math", "--use_fast_math")) {
    flags.push_back("-use_fast_math");
  } else if (argument.is("-w", "--disable-warnings")) {
    flags.push_back("-w");
  }
}

}  // namespace detail

inline void read_arguments(std::vector<std::string> const& words, object_facts& facts) {
  facts.source = source_in(words);
  // A compiler cache may stand before the compiler.
  auto const compiler = std::find_if(words.begin(), words.end(), [](std::string const& word) {
    return detail::names_compiler(word, "nvcc") || detail::names_compiler(word, "clang");
  });
  if (compiler != words.end()) facts.compiler = *compiler;
  bool const is_clang = runs_clang(words);
  std::vector<std::string> flags;
  for (detail::nvcc_argument const& argument : detail::split_arguments(words)) {
    if (detail::names_code(argument)) detail::read_code(argument, facts);
    detail::read_flags(argument, is_clang, flags);
    bool const is_rdc = argument.is("-rdc", "--relocatable-device-code") && argument.value == "true";
    if (is_rdc || argument.is("-dc", "--device-c", "-dlto", "-fgpu-rdc", "-fcuda-rdc")) facts.relocatable = true;
    if (argument.is("-dlto")) facts.link_time = true;
  }
  std::sort(flags.begin(), flags.end());
  flags.erase(std::unique(flags.begin(), flags.end()), flags.end());
  for (std::string const& flag : flags) append(facts.flags, ",", flag);
  if (facts.flags.empty()) facts.flags = "-";
  std::replace(facts.flags.begin(), facts.flags.end(), ' ', '_');
}

}  // namespace measure
