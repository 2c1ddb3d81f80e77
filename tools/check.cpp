// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "check.hpp"

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "build.hpp"
#include "differences.hpp"
#include "entries.hpp"
#include "lock.hpp"
#include "reports.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

namespace {

/// What is wrong with a target.
struct target_result {
  std::string name;
  std::string broken;  // empty if all is fine
  bool is_unreadable = false;

  void add_unreadable(std::string const& what) {
    append(broken, ", ", what);
    is_unreadable = true;
  }
};

/// Prints the messages of the compiler for CHECKS that it refused. Returns whether it refused any.
bool print_refused_checks(measure_request const& request) {
  bool any = false;
  for (std::string const& object : request.check_objects) {
    std::string messages;
    if (!read_file(refusal_of(object), messages)) continue;
    std::fprintf(stderr, "warpguard: %sthe compiler refuses CHECKS of %s:\n%s", error_word(), request.name.c_str(),
                 messages.c_str());
    any = true;
  }
  return any;
}

std::string count_of_failing_kernels(std::vector<difference> const& differences) {
  std::set<std::string> kernels;
  for (difference const& one : differences) {
    if (one.fails) kernels.insert(one.kernel.first);
  }
  if (kernels.empty()) return "";
  return std::to_string(kernels.size()) + (kernels.size() == 1 ? " kernel" : " kernels");
}

/// If CHECKS are refused, their contracts are the last known ones. Kernels without a known contract then have the blocks
/// of the lock.
target_result check_target(std::string const& request_path) {
  failures unreadable;
  measure_request const request = read_request(request_path, unreadable);
  target_result result;
  result.name = request.name.empty() ? request_path : request.name;
  if (unreadable.count != 0) {
    result.add_unreadable("not configured");
    return result;
  }
  measured_build const build = read_build(request, unreadable, device_link::reuse_output);
  if (unreadable.count == 0 && build.objects.empty()) {
    unreadable.add("ptxas compiled no object of " + request.name + ", so there is nothing to measure");
  }
  if (unreadable.count != 0) {
    result.add_unreadable("not measured");
    return result;
  }

  bool const is_refused = print_refused_checks(request);
  if (is_refused) result.broken = "CHECKS refused";
  if (request.lock.empty() && request.reports.empty()) return result;
  failures contracts_failed;
  contracts_failed.silent = is_refused;
  read_checks const checks = read_contracts(request, contracts_failed);
  if (contracts_failed.count != 0 && !is_refused) result.add_unreadable("contracts not listed");
  lock_file lock;
  bool has_lock = false;
  if (!request.lock.empty()) {
    failures lock_failed;
    lock = read_lock(request, lock_failed);
    has_lock = lock_failed.count == 0;
    if (!has_lock) result.add_unreadable("lock cannot be read");
  }

  report_contents contents;
  contents.checks_compiled = !is_refused;
  contents.unused = checks.unused;
  contents.entries = entries_of(request, build, checks.contracts, is_refused && has_lock ? lock.entries : entry_map{});
  if (has_lock) contents.differences = compare(request, lock, contents.entries, build.real);
  if (!request.reports.empty()) {
    std::error_code ignored;  // write_reports() says what it cannot write
    std::filesystem::create_directories(request.reports, ignored);
    write_reports(request, build, contents);
  }
  if (has_lock) {
    failures broken;
    print_differences(request, lock, contents.entries, contents.differences, broken);
    std::string const kernels = count_of_failing_kernels(contents.differences);
    if (!kernels.empty()) append(result.broken, ", ", kernels);
  }
  return result;
}

}  // namespace

int check_targets(std::vector<std::string> const& requests) {
  std::string broken;
  std::size_t fine = 0;
  bool any_unreadable = false;
  for (std::string const& path : requests) {
    target_result const result = check_target(path);
    any_unreadable = any_unreadable || result.is_unreadable;
    if (result.broken.empty()) {
      ++fine;
    } else {
      append(broken, ", ", result.name + " (" + result.broken + ")");
    }
  }
  std::string summary = std::to_string(requests.size()) + (requests.size() == 1 ? " target" : " targets") + " checked: ";
  if (broken.empty()) {
    summary += "all fine";
  } else {
    summary += std::to_string(fine) + " fine; broken: " + broken;
  }
  if (requests.size() > 1 || !broken.empty()) std::fprintf(stderr, "warpguard: %s\n", summary.c_str());
  if (any_unreadable) return exit_code::unreadable;
  return broken.empty() ? exit_code::fine : exit_code::broken;
}

}  // namespace measure
