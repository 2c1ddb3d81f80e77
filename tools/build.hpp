// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads the build of one target: combines what the launcher wrote beside each object.

#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "device_link.hpp"
#include "measured_build.hpp"
#include "names.hpp"
#include "nvcc_arguments.hpp"
#include "object_text.hpp"
#include "ptxas_text.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

/// Reads what the launcher wrote beside one object, and adds it to the build.
inline void read_object(std::string const& object, measured_build& build) {
  std::string const path = text_path_of(object);
  auto const add_error = [&](std::string const& error) { build.ptxas.errors.push_back(path + ": " + error); };
  found_text const found = find_text(object);
  if (!found.error.empty()) {
    build.not_measured.push_back(object);
    return add_error(found.error);
  }
  if (!found.is_measured) return;
  object_text const& parsed = found.text;
  object_facts facts;
  facts.path = object;
  read_arguments(parsed.arguments, facts);
  if (!facts.source.empty() && facts.source[0] != '/' && !parsed.folder.empty()) {
    facts.source = parsed.folder + "/" + facts.source;
  }
  if (facts.link_time) {
    return add_error(
        "link-time optimisation: ptxas compiles these kernels only in the final link, so they cannot be measured");
  }

  std::size_t const first_row = build.ptxas.rows.size();
  bool const from_ptxas_before = build.ptxas.from_ptxas;
  build.ptxas.from_ptxas = false;
  reader(build.ptxas, path, object, facts.flags, facts.relocatable).read(parsed.lines, parsed.begin, parsed.end);
  if (!build.ptxas.from_ptxas && (facts.all_real || !facts.real.empty())) {
    bool const is_hidden = std::any_of(parsed.lines.begin(), parsed.lines.end(), [](std::string const& line) {
      return has(line, "Resource usage is not shown");
    });
    add_error(is_hidden ? "nvcc shows no resource usage of this object"
                        : "ptxas said nothing: does an option silence it?");
  }
  build.ptxas.from_ptxas = build.ptxas.from_ptxas || from_ptxas_before;

  known_facts const known(parsed.kernels);
  for (std::size_t i = first_row; i < build.ptxas.rows.size(); ++i) {
    known.add_to(build.ptxas.rows[i]);
    facts.real.insert(build.ptxas.rows[i].compute_capability);
  }
  build.real.insert(facts.real.begin(), facts.real.end());
  for (int capability : facts.ptx) {
    if (facts.real.count(capability) == 0) build.only_ptx.insert(capability);
  }
  build.objects.push_back(facts);
}

/// Adds the spills of functions that ptxas reported apart from their callers (relocatable device code, -G). It does not
/// report which kernels call them, so each kernel gets the largest spill of all functions that fit its stack.
inline void add_functions(measure_request const& request, measured_build& build) {
  measured_build called;
  for (std::string const& object : request.called) read_object(object, called);
  std::vector<function> functions = build.ptxas.functions;
  functions.insert(functions.end(), called.ptxas.functions.begin(), called.ptxas.functions.end());
  build.not_measured.insert(build.not_measured.end(), called.not_measured.begin(), called.not_measured.end());
  build.ptxas.errors.insert(build.ptxas.errors.end(), called.ptxas.errors.begin(), called.ptxas.errors.end());

  std::map<std::string, bool> relocatable;
  for (object_facts const& object : build.objects) relocatable[object.path] = object.relocatable;
  for (row& kernel : build.ptxas.rows) {
    bool const is_linked = relocatable[kernel.object];
    // The device link reports the whole stack, and so does a ptxas that reports barriers.
    add_spills(kernel, functions, is_linked || kernel.barriers >= 0,
               [&](function const& one) { return is_linked ? one.relocatable : one.object == kernel.object; });
  }
}

/// The sources of all objects, by object, as kernels' names show them: relative to the project's folder. Outside of it,
/// and without a source, it is the last part of the path, with as many folders as it takes to tell two paths apart.
inline std::map<std::string, std::string> sources_of(measure_request const& request, measured_build const& build) {
  std::map<std::string, std::string> sources;
  std::map<std::string, std::string> outside;  // whole path, by object
  for (object_facts const& object : build.objects) {
    std::error_code ignored;
    std::string const path = object.source.empty() ? object.path : object.source;
    std::string const whole = std::filesystem::absolute(path, ignored).lexically_normal().string();
    std::string const within = request.within_root(whole);
    if (within != whole && !object.source.empty()) {
      sources[object.path] = within;
    } else {
      outside[object.path] = whole;
    }
  }
  auto const ending = [](std::string const& path, int folders) {
    std::size_t at = path.rfind('/');
    for (; folders > 0 && at != std::string::npos && at > 0; --folders) at = path.rfind('/', at - 1);
    return at == std::string::npos ? path : path.substr(at + 1);
  };
  for (auto const& [object, path] : outside) {
    auto const is_taken = [&, &path = path](int folders) {
      return std::any_of(outside.begin(), outside.end(), [&](auto const& other) {
        return other.second != path && ending(other.second, folders) == ending(path, folders);
      });
    };
    int folders = 0;
    while (ending(path, folders) != path && is_taken(folders)) ++folders;
    sources[object] = ending(path, folders);
  }
  return sources;
}

/// Names all kernels. The source is part of the name if other sources may have another kernel of the same name:
/// `k(int*) [a.cu]`. Instances of a template in several objects are one kernel.
inline void name_kernels(measure_request const& request, measured_build& build, failures& failed) {
  std::map<std::string, std::string> sources = sources_of(request, build);
  struct naming {
    bool has_source = false;
    std::set<std::string> sources;
  };
  std::map<std::string, naming> namings;  // by symbol
  for (row const& each : build.ptxas.rows) {
    auto const [name, is_new] = build.names.insert({each.symbol, {}});
    if (is_new) name->second = name_of(each.symbol);
    naming& found = namings[each.symbol];
    found.sources.insert(sources[each.object]);
    found.has_source = found.has_source || each.is_internal || is_known_as_internal(each.symbol, name->second) ||
                       (!name->second.is_template && found.sources.size() > 1);
  }
  auto const source_in_name = [&](row const& each) {
    std::string const& source = sources[each.object];  // empty if the numbers are from a log
    return namings[each.symbol].has_source && !source.empty() ? " [" + source + "]" : "";
  };
  std::map<std::string, std::vector<row*>> same_name;
  for (row& each : build.ptxas.rows) {
    each.name = build.names[each.symbol].text + source_in_name(each);
    same_name[each.name].push_back(&each);
  }
  for (auto const& [name, kernels] : same_name) make_distinct(kernels, [](row const& each) { return each.object; });

  std::map<std::string, std::string> names;  // by key
  for (row& each : build.ptxas.rows) {
    each.key = shortened(each.name, source_in_name(each));
    std::string const& first = names.insert({each.key, each.name}).first->second;
    if (first != each.name) {
      failed.add("two kernels have the same short name " + each.key + ", so rename one of them: " + first + " and " +
                 each.name);
    }
  }
}

inline std::string nothing_to_measure(measure_request const& request) {
  return "ptxas compiled no object of " + request.name + ", so there is nothing to measure";
}

inline measured_build read_build(measure_request const& request, failures& failed, device_link link) {
  measured_build build;
  for (std::string const& object : request.objects) read_object(object, build);
  if (build.ptxas.errors.empty() && link != device_link::none) link_relocatable(request, build, link);
  add_functions(request, build);
  name_kernels(request, build, failed);
  for (std::string const& error : build.ptxas.errors) failed.add(error);
  for (int capability : build.not_measurable()) {
    std::fprintf(stderr,
                 "warpguard: %s: compute_%d has only PTX, which the driver compiles at run time: not measurable\n",
                 request.name.c_str(), capability);
  }
  return build;
}

}  // namespace measure
