// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Measures relocatable device code. What a kernel uses is known only after the functions that it calls are linked, so
/// the device code of the objects is linked once more, with `nvlink -v`.

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "launcher.hpp"
#include "measured_build.hpp"
#include "object_text.hpp"
#include "ptxas_text.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

/// nvlink's output is stored beside the header, so that only the step that writes the header links. Without CMake it is
/// not known which objects are linked together, so nothing is linked.
enum class device_link { run, reuse_output, none };

namespace detail {

/// The command of the device link; empty if no object is relocatable.
inline std::vector<std::string> device_link_command(measure_request const& request, measured_build const& build) {
  std::vector<std::string> command{request.nvcc, "-dlink", "-Xnvlink=-v",
                                   // otherwise nvlink omits kernels that no host code of these objects launches
                                   "-Xnvlink=--ignore-host-info"};
  std::vector<std::string> objects;
  for (object_facts const& object : build.objects) {
    if (!object.relocatable) continue;
    if (objects.empty()) {
      command.insert(command.end(), object.code_arguments.begin(), object.code_arguments.end());
    }
    objects.push_back(object.path);
  }
  if (objects.empty()) return {};
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), request.libraries.begin(), request.libraries.end());
  command.insert(command.end(), {"-o", request.header + ".dlink.o"});
  return command;
}

/// Links, or reads the stored output of the last link, after which follow the lines of the linked kernels: the objects'
/// own device code is compressed. Returns nvcc's exit code.
inline int run_device_link(measure_request const& request, std::vector<std::string> const& command, device_link link,
                           std::string& output) {
  std::string const stored = request.header + ".nvlink";
  if (link == device_link::reuse_output && read_file(stored, output)) return 0;
  unlink(stored.c_str());
  output.clear();
  int const code = run_command(command, output);
  std::string const linked = request.header + ".dlink.o";
  device_code device;
  if (read_device_code_of(linked, device)) output += lines_of(device.kernels);
  unlink(linked.c_str());
  if (code == 0) write_file(stored, output);
  return code;
}

inline std::string device_link_error(measure_request const& request, int code, std::string const& output) {
  std::string error = "kernels of relocatable device code cannot be measured, because the device link failed: ";
  error += "nvcc -dlink ended with " + std::to_string(code) + "\n";
  for (std::string const& line : lines_of(output)) {
    if (!is_info(line)) error += line + "\n";
  }
  error += "Were all libraries that they need linked to the target before the call of warpguard_measure()?";
  for (std::string const& item : request.skipped) error += "\nNot resolved: " + item;
  return error;
}

/// Returns the numbers of each kernel, by symbol and compute capability. nvlink names no architecture if there is only
/// one.
inline std::map<std::pair<std::string, int>, row> read_device_link(std::string const& output,
                                                                   std::set<int> const& real) {
  std::map<std::pair<std::string, int>, row> linked;
  std::string symbol;
  for (std::string const& line : lines_of(output)) {
    std::size_t const properties = line.find("Function properties for '");
    std::size_t const used = line.find("used ");
    if (properties != std::string::npos) {
      std::size_t after = 0;
      read_quoted(line, properties, symbol, after);
    } else if (begins(line, "nvlink info") && used != std::string::npos && !symbol.empty()) {
      std::string numbers = line.substr(used);
      int capability = real.size() == 1 ? *real.begin() : 0;
      std::size_t const target = numbers.find(" (target: ");
      if (target != std::string::npos) {
        std::string const name = numbers.substr(target + 10);
        capability = capability_in(name.substr(0, name.find(')')));
        numbers.resize(target);
      }
      row kernel;
      if (read_used(numbers, kernel)) linked[{symbol, capability}] = kernel;
      symbol.clear();
    }
  }
  return linked;
}

/// Replaces ptxas's numbers of a kernel by those that include the functions which it calls.
inline void add_linked(row const& linked, row& kernel) {
  // On 9.0 nvlink adds the driver's reserve of 1 KiB to the kernel's shared memory, on other architectures it does not.
  int const reserve = kernel.compute_capability == 90 && linked.static_shared_memory >= 1024 ? 1024 : 0;
  kernel.registers = std::max(kernel.registers, linked.registers);
  kernel.stack = std::max(kernel.stack, linked.stack);
  kernel.barriers = std::max(kernel.barriers, linked.barriers);
  kernel.static_shared_memory = std::max(kernel.static_shared_memory, linked.static_shared_memory - reserve);
  kernel.constant_memory = linked.constant_memory;
}

}  // namespace detail

inline void link_relocatable(measure_request const& request, measured_build& build, device_link link) {
  std::vector<std::string> const command = detail::device_link_command(request, build);
  if (command.empty()) return;
  std::string output;
  int const code = detail::run_device_link(request, command, link, output);
  if (code != 0) {
    build.ptxas.errors.push_back(detail::device_link_error(request, code, output));
    return;
  }
  auto const linked = detail::read_device_link(output, build.real);
  std::vector<kernel_facts> kernels;
  for (std::string const& line : lines_of(output)) {
    kernel_facts kernel;
    if (read_kernel_line(line, kernel)) kernels.push_back(kernel);
  }
  known_facts const known(kernels);
  std::set<std::string> relocatable;
  for (object_facts const& object : build.objects) {
    if (object.relocatable) relocatable.insert(object.path);
  }
  for (row& kernel : build.ptxas.rows) {
    if (relocatable.count(kernel.object) == 0) continue;
    known.add_to(kernel);
    auto const found = linked.find({kernel.symbol, kernel.compute_capability});
    if (found != linked.end()) {
      detail::add_linked(found->second, kernel);
    } else {
      build.ptxas.errors.push_back("nvlink reports no numbers for " + kernel.symbol + " on sm_" +
                                   std::to_string(kernel.compute_capability) + " (" + kernel.object +
                                   "), so it cannot be measured");
    }
  }
}

}  // namespace measure
