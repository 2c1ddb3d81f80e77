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

/// What is wrong with a target: words for the summary.
struct target_result {
  std::string name;
  std::string broken;  // empty if all is fine
  bool is_unreadable = false;

  void add_unreadable(std::string const& what) {
    append(broken, ", ", what);
    is_unreadable = true;
  }
};

/// A measured target, and its differences from the lock.
struct measured_target {
  measure_request request;
  measured_build build;
  lock_file lock;
  bool has_lock = false;
  report_contents contents;
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

/// Reads the output of ptxas.
measured_target read_target(std::string const& request_path, target_result& result) {
  failures failed;
  measured_target target;
  target.request = read_request(request_path, failed);
  result.name = target.request.name.empty() ? request_path : target.request.name;
  if (failed.count == 0) target.build = read_build(target.request, failed, device_link::reuse_output);
  if (failed.count == 0 && target.build.objects.empty()) failed.add(nothing_to_measure(target.request));
  if (failed.count != 0) result.add_unreadable("not measured");
  return target;
}

/// Reads the contracts and the lock, and compares. If CHECKS are refused, their contracts are the last known ones.
/// Kernels without a known contract then have the blocks of the lock.
void compare_with_lock(measured_target& target, target_result& result) {
  measure_request const& request = target.request;
  failures failed;
  failed.silent = !target.contents.checks_compiled;
  read_checks const checks = read_contracts(request, failed);
  if (failed.count != 0 && !failed.silent) result.add_unreadable("contracts not listed");
  if (!request.lock.empty()) {
    failures lock_failed;
    target.lock = read_lock(request, lock_failed);
    target.has_lock = lock_failed.count == 0;
    if (!target.has_lock) result.add_unreadable("lock cannot be read");
  }
  report_contents& contents = target.contents;
  contents.unused = checks.unused;
  contents.entries = entries_of(request, target.build, checks.contracts,
                                contents.checks_compiled || !target.has_lock ? entry_map{} : target.lock.entries);
  if (target.has_lock) contents.differences = compare(request, target.lock, contents.entries, target.build.real);
}

void write_reports(measured_target const& target) {
  if (target.request.reports.empty()) return;
  std::error_code ignored;  // write_reports() says what it cannot write
  std::filesystem::create_directories(target.request.reports, ignored);
  write_reports(target.request, target.build, target.contents);
}

std::string count_of_failing_kernels(std::vector<difference> const& differences) {
  std::set<std::string> kernels;
  for (difference const& one : differences) {
    if (one.fails) kernels.insert(one.kernel.first);
  }
  if (kernels.empty()) return "";
  return std::to_string(kernels.size()) + (kernels.size() == 1 ? " kernel" : " kernels");
}

target_result check_target(std::string const& request_path) {
  target_result result;
  measured_target target = read_target(request_path, result);
  if (result.is_unreadable) return result;
  target.contents.checks_compiled = !print_refused_checks(target.request);
  if (!target.contents.checks_compiled) result.broken = "CHECKS refused";
  if (target.request.lock.empty() && target.request.reports.empty()) return result;
  compare_with_lock(target, result);
  write_reports(target);
  if (target.has_lock) {
    failures broken;
    print_differences(target.request, target.lock, target.contents.entries, target.contents.differences, broken);
    std::string const kernels = count_of_failing_kernels(target.contents.differences);
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
  std::string summary =
      std::to_string(requests.size()) + (requests.size() == 1 ? " target" : " targets") + " checked: ";
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
