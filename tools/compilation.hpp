// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds in the command line of nvcc or clang the sources whose kernels ptxas compiles, and the file that each of them
/// becomes.

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "text.hpp"

namespace measure {

/// The run of nvcc for one output.
struct compilation {
  std::vector<std::string> command;
  std::string output;
};

namespace detail {

/// Whether a word of a command is a compiler: the last part of a path begins with its name, as in clang++-19.
inline bool names_compiler(std::string const& word, char const* name) {
  return begins(word.substr(word.rfind('/') + 1), name);
}

inline bool is_one_of(std::string const& word, std::initializer_list<char const*> names) {
  return std::any_of(names.begin(), names.end(), [&](char const* name) { return word == name; });
}

inline std::string extension_of(std::string const& path) {
  std::string const name = path.substr(path.rfind('/') + 1);
  std::size_t const dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

/// What a command line does. An option and its value are two words or have `=` between them.
struct command_facts {
  std::string output;               // the last -o counts
  std::string folder;               // -odir
  std::string extension;            // of the output, if no -o names it; empty if nvcc links
  bool stops_early = false;         // before ptxas, or nothing is compiled
  bool all_are_cuda = false;        // -x cu, -x cuda
  std::vector<std::size_t> inputs;  // the places of words with the extension of a source
};

inline command_facts read_command(std::vector<std::string> const& words) {
  command_facts facts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string const& word = words[i];
    if (word.empty()) continue;
    if (word[0] != '-') {
      if (is_one_of(extension_of(word), {".cu", ".ptx", ".cpp", ".cc", ".cxx", ".c", ".C"})) facts.inputs.push_back(i);
      continue;
    }
    std::size_t const equals = word.find('=');
    std::string const name = word.substr(0, equals);
    auto const value = [&] {
      return equals != std::string::npos ? word.substr(equals + 1) : i + 1 < words.size() ? words[++i] : "";
    };
    if (is_one_of(name, {"-o", "--output-file"})) {
      facts.output = value();
    } else if (is_one_of(name, {"-odir", "--output-directory"})) {
      facts.folder = value();
    } else if (is_one_of(name, {"-x", "--x"})) {
      std::string const language = value();
      facts.all_are_cuda = language == "cu" || language == "cuda";
    } else if (is_one_of(name,
                         {"-include", "--pre-include", "-MF", "--dependency-output", "-MT", "-I", "--include-path",
                          "-isystem", "--system-include", "-D", "--define-macro", "-Xcompiler", "--compiler-options",
                          "-Xptxas", "--ptxas-options", "-Xcuda-ptxas", "-Xclang", "-MQ"})) {
      value();  // which is no source
    } else if (is_one_of(word, {"-c", "--compile", "-dc", "--device-c", "-dw", "--device-w"})) {
      facts.extension = ".o";
    } else if (is_one_of(word, {"-cubin", "--cubin", "-fatbin", "--fatbin"})) {
      facts.extension = "." + word.substr(word.rfind('-') + 1);
    } else if (is_one_of(word, {"-E",
                                "--preprocess",
                                "-M",
                                "-MM",
                                "--generate-dependencies",
                                "--generate-nonsystem-dependencies",
                                "-ptx",
                                "--ptx",
                                "-optix-ir",
                                "--optix-ir",
                                "-ltoir",
                                "--ltoir",
                                "-cuda",
                                "--cuda",
                                "-dlink",
                                "--device-link",
                                "-lib",
                                "--lib",
                                "-run",
                                "--run",
                                "-dryrun",
                                "--dryrun",
                                "-S",
                                "-emit-llvm",
                                "-fsyntax-only",
                                "--cuda-host-only",
                                "--offload-host-only",
                                "-V",
                                "-h",
                                "--help",
                                "--version"})) {
      facts.stops_early = true;
    }
  }
  return facts;
}

/// Whether ptxas compiles this input.
inline bool is_for_ptxas(command_facts const& facts, std::string const& input) {
  return facts.all_are_cuda || is_one_of(extension_of(input), {".cu", ".ptx"});
}

/// The file that nvcc writes for a source if no -o names it.
inline std::string output_of(command_facts const& facts, std::string const& source) {
  std::string const name = source.substr(source.rfind('/') + 1);
  std::string const folder = facts.folder.empty() ? "" : facts.folder + "/";
  return folder + name.substr(0, name.rfind('.')) + facts.extension;
}

}  // namespace detail

/// Whether a command runs clang. A compiler cache may stand before the compiler.
inline bool runs_clang(std::vector<std::string> const& command) {
  for (std::string const& word : command) {
    if (!word.empty() && word[0] == '-') return false;
    if (detail::names_compiler(word, "clang")) return true;
  }
  return false;
}

/// Returns the source of an object; empty if there is none or several.
inline std::string source_in(std::vector<std::string> const& words) {
  detail::command_facts const facts = detail::read_command(words);
  std::string source;
  for (std::size_t input : facts.inputs) {
    if (!detail::is_for_ptxas(facts, words[input])) continue;
    if (!source.empty()) return "";
    source = words[input];
  }
  return source;
}

/// Splits a command into one run of nvcc for each output, because ptxas does not print for which source it runs.
/// Returns no run if ptxas compiles nothing, or if `more`, the words of option files, have sources too.
inline std::vector<compilation> compilations_of(std::vector<std::string> const& command,
                                                std::vector<std::string> const& more) {
  std::vector<std::string> words = command;
  words.insert(words.end(), more.begin(), more.end());
  detail::command_facts const facts = detail::read_command(words);
  bool const is_compiled = std::any_of(facts.inputs.begin(), facts.inputs.end(),
                                       [&](std::size_t input) { return detail::is_for_ptxas(facts, words[input]); });
  if (!is_compiled || facts.stops_early) return {};
  if (!facts.output.empty()) return {{command, facts.output}};
  if (facts.extension.empty()) return {{command, facts.folder.empty() ? "a.out" : facts.folder + "/a.out"}};
  std::vector<compilation> runs;
  for (std::size_t kept : facts.inputs) {
    if (kept >= command.size()) return {};
    compilation run;
    for (std::size_t i = 0; i < command.size(); ++i) {
      bool const is_other = i != kept && std::find(facts.inputs.begin(), facts.inputs.end(), i) != facts.inputs.end();
      if (!is_other) run.command.push_back(command[i]);
    }
    if (detail::is_for_ptxas(facts, command[kept])) run.output = detail::output_of(facts, command[kept]);
    runs.push_back(run);
  }
  return runs;
}

}  // namespace measure
