// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "sources.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "build.hpp"
#include "launcher.hpp"
#include "lock.hpp"
#include "log.hpp"
#include "object_text.hpp"

namespace measure {

namespace {

namespace fs = std::filesystem;

std::string const text_ending = ".ptxas";

bool ends(std::string const& text, std::string const& with) {
  return text.size() >= with.size() && text.compare(text.size() - with.size(), with.size(), with) == 0;
}

bool is_file(std::string const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The first bytes of a file. Returns false if it cannot be read.
bool read_beginning(std::string const& path, std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  char buffer[64];
  std::size_t const count = std::fread(buffer, 1, sizeof buffer, file);
  bool const good = std::ferror(file) == 0;
  std::fclose(file);
  text.assign(buffer, count);
  return good;
}

/// The objects in a folder.
struct folder_objects {
  std::vector<std::string> measured;  // `warpguard compile` wrote a text for them
  std::vector<std::string> others;
};

folder_objects objects_in(std::string const& folder, failures& failed) {
  folder_objects objects;
  std::error_code error;
  fs::recursive_directory_iterator file(folder, error);
  for (; !error && file != fs::recursive_directory_iterator(); file.increment(error)) {
    std::string const path = file->path().string();
    if (!is_file(path)) continue;
    if (ends(path, text_ending)) objects.measured.push_back(path.substr(0, path.size() - text_ending.size()));
    if ((ends(path, ".o") || ends(path, ".obj")) && !is_file(text_path_of(path))) objects.others.push_back(path);
  }
  if (error) failed.add(folder + ": cannot be read: " + error.message());
  if (!error && objects.measured.empty()) {
    failed.add(folder + ": no <object>.ptxas in this folder: let the build call `warpguard compile nvcc ...`");
  }
  // So that results do not depend on the file system.
  std::sort(objects.measured.begin(), objects.measured.end());
  std::sort(objects.others.begin(), objects.others.end());
  return objects;
}

/// Refuses objects with kernels that were not measured. An object of a device link has the kernels of other objects.
void require_measured(std::vector<std::string> const& objects, measured_build const& build, failures& failed) {
  std::set<std::string> symbols;
  for (row const& each : build.ptxas.rows) symbols.insert(each.symbol);
  for (std::string const& object : objects) {
    device_code code;
    if (!read_device_code_of(object, code) || !code.is_present) continue;
    bool const is_linked = !code.kernels.empty() &&
                           std::all_of(code.kernels.begin(), code.kernels.end(),
                                       [&](kernel_facts const& kernel) { return symbols.count(kernel.symbol) != 0; });
    if (is_linked) continue;
    failed.add(object + ": there is device code in this object, but no " + text_path_of(object) +
               ": let the build call `warpguard compile nvcc ...`, and compile the object again");
  }
}

/// The version of the nvcc that compiled an object, such as "nvcc 13.0.88"; empty if it cannot be found out.
std::string compiler_of(object_facts const& object) {
  if (object.compiler.empty()) return "";
  std::string output;
  std::string const command = "'" + object.compiler + "' --version 2>/dev/null";
  if (has(object.compiler, "'")) return "";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, count);
  pclose(pipe);
  std::size_t const at = output.find(", V");
  if (at == std::string::npos) return "";
  return "nvcc " + output.substr(at + 3, output.find_first_not_of("0123456789.", at + 3) - at - 3);
}

/// The compiler of all objects; empty if unknown. Different compilers are an error.
std::string compiler_of(measured_build const& build, failures& failed) {
  std::set<std::string> paths;
  std::string compiler;
  for (object_facts const& object : build.objects) {
    if (!paths.insert(object.compiler).second) continue;
    std::string const other = compiler_of(object);
    if (!compiler.empty() && !other.empty() && compiler != other) {
      failed.add(object.path + ": compiled by " + other + ", but other objects by " + compiler +
                 ": build again from clean");
    }
    if (compiler.empty()) compiler = other;
  }
  return compiler;
}

void add_log(log_kernels const& log, measured_build& build) {
  for (found_kernel const& each : log.all) {
    row kernel;
    static_cast<amounts&>(kernel) = each.numbers;
    kernel.symbol = each.symbol;
    kernel.compute_capability = each.compute_capability;
    kernel.flags = "-";
    build.real.insert(each.compute_capability);
    build.ptxas.rows.push_back(kernel);
  }
}

/// Reads a target that warpguard_measure() measured.
measured_source read_measured(std::string const& path, failures& failed) {
  measured_source source;
  source.request = read_request(fs::is_directory(path) ? path + "/request.txt" : path, failed);
  if (failed.count != 0) return source;
  source.build = read_build(source.request, failed, device_link::reuse_output);
  if (failed.count == 0 && source.build.objects.empty()) failed.add(nothing_to_measure(source.request));
  source.entries = entries_of(source.request, source.build, read_contracts(source.request, failed).contracts);
  return source;
}

}  // namespace

source_kind kind_of_source(std::string const& path, failures& failed) {
  if (path == "-") return source_kind::log;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    return is_file(path + "/request.txt") ? source_kind::measured : source_kind::folder;
  }
  if (is_file(path + text_ending)) return source_kind::object_text;
  std::string text;
  if (!read_beginning(path, text)) {
    failed.add(path + ": cannot read this file: " + std::strerror(errno));
    return source_kind::unreadable;
  }
  if (begins(text, "warpguard-request ")) return source_kind::measured;
  if (begins(text, "warpguard-lock ")) return source_kind::lock;
  if (begins(text, "warpguard-ptxas-text ")) return source_kind::object_text;
  bool const is_binary = begins(text, "\177ELF") || begins(text, "!<arch>\n");
  if (!is_binary) return source_kind::log;
  failed.add(path + ": there is no " + path + text_ending +
             ": let the build call `warpguard compile nvcc ...`, and compile this object again");
  return source_kind::unreadable;
}

measured_source read_sources(source_options const& options, failures& failed) {
  measured_source source;
  measure_request& request = source.request;
  std::vector<std::string> logs;
  std::vector<std::string> not_measured;
  for (std::string const& path : options.from) {
    switch (kind_of_source(path, failed)) {
      case source_kind::log: logs.push_back(path); break;
      case source_kind::object_text:
        request.objects.push_back(ends(path, text_ending) ? path.substr(0, path.size() - text_ending.size()) : path);
        break;
      case source_kind::folder: {
        folder_objects const found = objects_in(path, failed);
        request.objects.insert(request.objects.end(), found.measured.begin(), found.measured.end());
        not_measured.insert(not_measured.end(), found.others.begin(), found.others.end());
        break;
      }
      case source_kind::measured:
        if (options.from.size() == 1) return read_measured(path, failed);
        failed.add(path + ": what warpguard_measure() measured cannot be read together with anything else");
        break;
      case source_kind::lock:
        failed.add(path + ": this is a lock, and not the output of a build: use `warpguard diff` to compare locks");
        break;
      case source_kind::unreadable: break;
    }
  }
  if (failed.count != 0) return source;
  std::error_code ignored;
  request.root = options.root.empty() ? fs::current_path(ignored).string() : options.root;
  request.except = options.except;
  source.build = read_build(request, failed, device_link::none);
  require_measured(not_measured, source.build, failed);
  request.compiler = options.compiler.empty() ? compiler_of(source.build, failed) : options.compiler;
  if (!logs.empty()) {
    add_log(read_logs(logs, options.largest, failed), source.build);
    name_kernels(request, source.build, failed);
  }
  if (failed.count == 0 && source.build.ptxas.rows.empty()) failed.add(options.from.front() + ": no kernel");
  source.entries = entries_of(request, source.build, {});
  return source;
}

lock_file read_kernels(std::string const& path, source_options options, kernel_set& kernels, failures& failed) {
  lock_file lock;
  kernels.origin = path;
  if (kind_of_source(path, failed) == source_kind::lock) {
    measure_request request;
    request.lock = path;
    request.except = options.except;
    lock = read_lock(request, failed);
    kernels.entries = lock.entries;
  } else if (failed.count == 0) {
    options.from = {path};
    measured_source const source = read_sources(options, failed);
    lock.compiler = source.request.compiler;
    lock.entries = source.entries;
    kernels.entries = source.entries;
    kernels.built = source.build.real;
  }
  kernels.compiler = lock.compiler;
  for (auto const& [kernel, numbers] : kernels.entries) kernels.built.insert(kernel.second);
  return lock;
}

}  // namespace measure
