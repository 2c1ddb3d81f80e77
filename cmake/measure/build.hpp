// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// One target's build as it was measured: the request that warpguard_measure() writes, and the texts of all objects.

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "launcher.hpp"
#include "names.hpp"
#include "ptxas_text.hpp"
#include "text.hpp"

namespace measure {

/// What warpguard_measure() asks for, a line each: `object <path>`.
struct request {
  std::string target;    // as an identifier: what is named in C++
  std::string name;      // as CMake has it
  std::string compiler;  // nvcc 13.0.88
  std::string nvcc;
  std::string header;
  std::string lock;
  std::string reports;
  std::string contracts;
  std::string root;   // the project's folder, to which the reports' paths are relative
  std::string today;  // 2026-11-21; the tests set it
  std::vector<std::string> objects;
  std::vector<std::string> libraries;  // what relocatable objects are linked with
  std::vector<std::string> called;     // the objects of these libraries that this build compiles
  std::vector<std::string> skipped;    // what CMake's function could not follow
  std::vector<std::string> checks;
  std::vector<std::string> except;  // how kernels begin that are in no lock and report
  bool strict = false;
};

inline request read_request(std::string const& path, failures& failed) {
  request asked;
  std::string text;
  if (!read_file(path, text)) failed.say("cannot read " + path);
  for (std::string const& line : lines_of(text)) {
    std::size_t const space = line.find(' ');
    if (space == std::string::npos) continue;
    std::string const key = line.substr(0, space);
    std::string const value = line.substr(space + 1);
    if (value.empty()) continue;
    if (key == "target") asked.target = value;
    if (key == "name") asked.name = value;
    if (key == "compiler") asked.compiler = value;
    if (key == "nvcc") asked.nvcc = value;
    if (key == "header") asked.header = value;
    if (key == "lock") asked.lock = value;
    if (key == "reports") asked.reports = value;
    if (key == "contracts") asked.contracts = value;
    if (key == "root") asked.root = value;
    if (key == "today") asked.today = value;
    if (key == "object") asked.objects.push_back(value);
    if (key == "library") asked.libraries.push_back(value);
    if (key == "called") asked.called.push_back(value);
    if (key == "skipped") asked.skipped.push_back(value);
    if (key == "except") asked.except.push_back(value);
    if (key == "check") asked.checks.push_back(value);
    if (key == "strict") asked.strict = value == "ON";
  }
  if (!is_identifier(asked.target)) asked.target += "_";  // a keyword
  return asked;
}

/// What one object was compiled for.
struct object_facts {
  std::string path;
  std::set<int> real;     // SASS
  std::set<int> ptx;      // PTX
  std::string flags;      // those that matter to ptxas
  bool all_real = false;  // SASS for architectures that nvcc chooses: -arch=all, all-major, native
  bool relocatable = false;
  bool link_time = false;
  std::vector<std::string> code_arguments;
};

/// Whether an argument of nvcc, one that has a value, reaches the compilation of kernels. -O0 to -O3 do not: they are
/// the host compiler's, and ptxas has its own in -Xptxas.
inline bool is_for_device(std::string const& name) {
  std::string const one_dash = begins(name, "--") ? name.substr(1) : name;
  for (char const* const known : {"-ftz", "-prec-div", "-prec-sqrt", "-fmad", "-dopt", "-Ofc", "-Ofast-compile"}) {
    if (one_dash == known) return true;
  }
  return false;
}

/// The arguments of nvcc that say what it compiles for, and those that change what ptxas does.
inline void read_arguments(std::vector<std::string> const& arguments, object_facts& facts) {
  auto const takes_next = [](std::string const& a) {
    return a == "-gencode" || a == "--generate-code" || a == "-arch" || a == "--gpu-architecture" || a == "-code" ||
           a == "--gpu-code" || a == "-maxrregcount" || a == "--maxrregcount" || a == "-Xptxas" ||
           a == "--ptxas-options" || a == "-rdc" || a == "--relocatable-device-code" || a == "-Xcompiler" ||
           a == "--compiler-options" || is_for_device(a);
  };
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = arguments[i];
    if (takes_next(argument) && i + 1 < arguments.size()) argument += "=" + arguments[++i];
    std::size_t const equals = argument.find('=');
    std::string const name = argument.substr(0, equals);
    std::string const value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    bool const gencode = name == "-gencode" || name == "--generate-code";
    bool const arch = name == "-arch" || name == "--gpu-architecture";
    if (gencode || arch || name == "-code" || name == "--gpu-code") {
      facts.code_arguments.push_back(argument);
      std::string codes = value;
      if (gencode) {
        std::size_t const at = value.find("code=");
        codes = at == std::string::npos ? "" : value.substr(at + 5);
      }
      std::string word;
      for (char c : codes + ",") {
        if (is_letter(c) || is_digit(c)) {
          word += c;
          continue;
        }
        int const capability = detail::capability_in(word);
        facts.all_real = facts.all_real || word == "all" || word == "major" || word == "native";
        facts.link_time = facts.link_time || begins(word, "lto_");
        if (capability != 0) (begins(word, "sm_") ? facts.real : facts.ptx).insert(capability);
        word.clear();
      }
    } else if (name == "-maxrregcount" || name == "--maxrregcount") {
      flags.push_back("-maxrregcount=" + value);
    } else if (name == "-G" || name == "--device-debug") {
      flags.push_back("-G");
    } else if (name == "-Xptxas" || name == "--ptxas-options") {
      for (std::string const& part : split(value, ',')) {
        if (part != "-v" && part != "--verbose" && part != "-warn-spills" && part != "-Werror" && !part.empty()) {
          flags.push_back("-Xptxas=" + part);
        }
      }
    } else if (is_for_device(name)) {
      flags.push_back(begins(argument, "--") ? argument.substr(1) : argument);
    } else if (name == "-use_fast_math" || name == "--use_fast_math" || name == "-w" || name == "--disable-warnings") {
      flags.push_back(name == "--disable-warnings" ? "-w" : name.substr(name.rfind('-')));
    } else if (((name == "-rdc" || name == "--relocatable-device-code") && value == "true") || name == "-dc" ||
               name == "--device-c" || name == "-dlto") {
      facts.relocatable = true;
      facts.link_time = facts.link_time || name == "-dlto";
    }
  }
  std::sort(flags.begin(), flags.end());
  flags.erase(std::unique(flags.begin(), flags.end()), flags.end());
  for (std::string const& flag : flags) facts.flags += (facts.flags.empty() ? "" : ",") + flag;
  if (facts.flags.empty()) facts.flags = "-";
  for (char& c : facts.flags) {
    if (c == ' ') c = '_';
  }
}

struct measured_build {
  report said;
  std::vector<object_facts> objects;
  std::set<int> real;
  std::set<int> unmeasurable;  // PTX without SASS
};

/// By its name; an object of C++ has no text.
inline bool is_of_cuda(std::string const& object) {
  return object.find(".cu.", object.rfind('/') + 1) != std::string::npos;
}

inline void read_object(std::string const& object, measured_build& build) {
  std::string text;
  std::string const path = object + ".ptxas";
  if (!read_file(path, text)) {
    if (is_of_cuda(object)) {
      build.said.errors.push_back(path +
                                  ": there is no such text: the object was not compiled by warpguard's launcher (is "
                                  "CUDA_COMPILER_LAUNCHER changed after warpguard_measure?)");
    }
    return;
  }
  std::vector<std::string> const lines = lines_of(text);
  auto const damaged = [&](std::string const& why) { build.said.errors.push_back(path + ": " + why); };
  if (lines.empty() || !begins(lines[0], "warpguard-ptxas-text ")) return damaged("this is no text of warpguard's");
  if (lines[0] != "warpguard-ptxas-text 1") return damaged("written by a newer warpguard: build again from scratch");
  std::vector<std::string> arguments;
  std::size_t first = 1;
  for (; first < lines.size() && begins(lines[first], "argument "); ++first)
    arguments.push_back(lines[first].substr(9));
  if (first >= lines.size() || lines[first] != "text" || lines.back() != "end") return damaged("the text is truncated");
  object_facts facts;
  facts.path = object;
  read_arguments(arguments, facts);
  if (facts.link_time) {
    return damaged(
        "link-time optimisation: ptxas sees these kernels only in the final link, so they cannot be measured");
  }
  std::size_t const before = build.said.rows.size();
  bool const heard = build.said.from_ptxas;
  build.said.from_ptxas = false;
  reader(build.said, path, object, facts.flags, facts.relocatable).read(lines, first + 1, lines.size() - 1);
  if (!build.said.from_ptxas && (facts.all_real || !facts.real.empty())) {
    damaged(has(text, "Resource usage is not shown") ? "nvcc shows no resource usage of this object"
                                                     : "ptxas said nothing: does an option silence it?");
  }
  build.said.from_ptxas = build.said.from_ptxas || heard;
  for (std::size_t i = before; i < build.said.rows.size(); ++i) {
    facts.real.insert(build.said.rows[i].compute_capability);
  }
  build.real.insert(facts.real.begin(), facts.real.end());
  for (int capability : facts.ptx) {
    if (facts.real.count(capability) == 0) build.unmeasurable.insert(capability);
  }
  build.objects.push_back(facts);
}

/// What nvlink says is kept beside the header, so that the steps after the header's need not link again.
enum class device_link { anew, as_kept };

/// Relocatable device code: what a kernel uses is known only once the functions that it calls are linked to it.
inline void link_relocatable(request const& asked, measured_build& build, device_link link) {
  std::vector<std::string> command{asked.nvcc, "-dlink", "-Xnvlink=-v",
                                   // else kernels that no host code of these objects launches are left out
                                   "-Xnvlink=--ignore-host-info"};
  bool any = false;
  for (object_facts const& object : build.objects) {
    if (!object.relocatable) continue;
    if (!any) command.insert(command.end(), object.code_arguments.begin(), object.code_arguments.end());
    any = true;
    command.push_back(object.path);
  }
  if (!any) return;
  command.insert(command.end(), asked.libraries.begin(), asked.libraries.end());
  command.insert(command.end(), {"-o", asked.header + ".dlink.o"});
  std::string const kept = asked.header + ".nvlink";
  std::string said;
  int code = 0;
  if (link == device_link::anew || !read_file(kept, said)) {
    unlink(kept.c_str());
    code = run_command(command, said);
    unlink((asked.header + ".dlink.o").c_str());
    if (code == 0) write_file(kept, said);
  }
  if (code != 0) {
    std::string why = "the device link gives no numbers, so kernels of relocatable device code cannot be measured: ";
    why += "nvcc -dlink ended with " + std::to_string(code) + "\n";
    for (std::string const& line : lines_of(said)) {
      if (!is_info(line)) why += line + "\n";
    }
    why += "Are the libraries that they need linked to the target before warpguard_measure?";
    for (std::string const& item : asked.skipped) why += "\nNot followed: " + item;
    build.said.errors.push_back(why);
    return;
  }
  std::map<std::pair<std::string, int>, row> linked;
  std::string symbol;
  for (std::string const& line : lines_of(said)) {
    std::size_t const properties = line.find("Function properties for '");
    std::size_t const used = line.find("used ");
    if (properties != std::string::npos) {
      std::size_t after = 0;
      detail::read_quoted(line, properties, symbol, after);
    } else if (begins(line, "nvlink info") && used != std::string::npos && !symbol.empty()) {
      std::string numbers = line.substr(used);
      int capability = build.real.size() == 1 ? *build.real.begin() : 0;
      std::size_t const target = numbers.find(" (target: ");
      if (target != std::string::npos) {
        std::string const name = numbers.substr(target + 10);
        capability = detail::capability_in(name.substr(0, name.find(')')));
        numbers.resize(target);
      }
      row numbers_of;
      if (detail::read_used(numbers, numbers_of)) linked[{symbol, capability}] = numbers_of;
      symbol.clear();
    }
  }
  std::set<std::string> relocatable;
  for (object_facts const& object : build.objects) {
    if (object.relocatable) relocatable.insert(object.path);
  }
  for (row& each : build.said.rows) {
    if (relocatable.count(each.object) == 0) continue;
    auto const found = linked.find({each.symbol, each.compute_capability});
    if (found == linked.end()) {
      build.said.errors.push_back("the device link says nothing about " + each.symbol + " on sm_" +
                                  std::to_string(each.compute_capability) + " (" + each.object +
                                  "), so it cannot be measured");
      continue;
    }
    row const& numbers = found->second;
    // On 9.0 nvlink counts the driver's reserve of 1 KiB to the kernel's shared memory, elsewhere not.
    int const reserve = each.compute_capability == 90 && numbers.static_shared_memory >= 1024 ? 1024 : 0;
    each.registers = std::max(each.registers, numbers.registers);
    each.stack = std::max(each.stack, numbers.stack);
    each.barriers = std::max(each.barriers, numbers.barriers);
    each.static_shared_memory = std::max(each.static_shared_memory, numbers.static_shared_memory - reserve);
    each.constant_memory = numbers.constant_memory;
  }
}

/// The functions that ptxas reported apart from their callers (relocatable device code, -G). Who calls them is not
/// said: the largest spill of one that has room on a kernel's stack is taken for the kernel's.
inline void add_functions(request const& asked, measured_build& build) {
  measured_build called;
  for (std::string const& object : asked.called) read_object(object, called);
  std::vector<function> functions = build.said.functions;
  functions.insert(functions.end(), called.said.functions.begin(), called.said.functions.end());
  build.said.errors.insert(build.said.errors.end(), called.said.errors.begin(), called.said.errors.end());

  std::map<std::string, bool> relocatable;
  for (object_facts const& object : build.objects) relocatable[object.path] = object.relocatable;
  for (row& each : build.said.rows) {
    bool const linked = relocatable[each.object];
    // The whole stack is known from the device link, and from the ptxas that reports barriers, too.
    bool const stack_known = linked || each.barriers >= 0;
    int stores = 0;
    int loads = 0;
    for (function const& one : functions) {
      bool const reachable = linked ? one.relocatable : one.object == each.object;
      bool const same = one.compute_capability == 0 || one.compute_capability == each.compute_capability;
      if (!reachable || !same || (stack_known && each.stack - each.frame < one.frame)) continue;
      stores = std::max(stores, one.spill_stores);
      loads = std::max(loads, one.spill_loads);
    }
    each.spill_stores += stores;
    each.spill_loads += loads;
  }
}

inline measured_build read_build(request const& asked, failures& failed, device_link link) {
  measured_build build;
  for (std::string const& object : asked.objects) read_object(object, build);
  if (build.said.errors.empty()) link_relocatable(asked, build, link);
  add_functions(asked, build);
  for (std::string const& error : build.said.errors) failed.say(error);
  for (int capability : build.unmeasurable) {
    if (build.real.count(capability) != 0) continue;
    std::fprintf(stderr,
                 "warpguard: %s: compute_%d has only PTX, which the driver compiles where it runs: not measurable\n",
                 asked.name.c_str(), capability);
  }
  return build;
}

/// A kernel in the lock and in reports: demangled with its parameters, because kernels may be overloaded.
inline std::string key_of(std::string const& symbol) {
  std::string const plain = without_unit(symbol);
  std::string text = demangle(plain);
  if (text.empty()) return plain;
  if (begins(text, "void ")) text = text.substr(5);
  return text;
}

}  // namespace measure
