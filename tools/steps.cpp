// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The steps of warpguard_measure().

#include "steps.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "build.hpp"
#include "delta_text.hpp"
#include "differences.hpp"
#include "entries.hpp"
#include "header.hpp"
#include "launcher.hpp"
#include "lock.hpp"
#include "reports.hpp"
#include "request.hpp"

namespace measure {

namespace {

bool exists(std::string const& path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0;
}

/// Writes a file only if its text changes, so that files which include it are not compiled again.
void write_if_changed(std::string const& path, std::string const& text) {
  std::string old;
  if (!read_file(path, old) || old != text) write_file(path, text);
}

void write_stamp(std::string const& stamp, std::vector<std::string> const& needed) {
  auto const escaped = [](std::string const& path) {
    std::string result;
    for (char c : path) {
      if (c == ' ' || c == '#') result += '\\';
      if (c == '$') result += '$';
      result += c;
    }
    return result;
  };
  std::string text = escaped(stamp) + ":";
  for (std::string const& path : needed) text += " \\\n  " + escaped(path);
  write_file(stamp + ".d", text + "\n");
  write_file(stamp, "");
}

/// Removes objects without the output of ptxas beside them: it was deleted, or the object was compiled before the
/// target was measured. No build step writes this file alone, so the next build must compile the object again.
void remove_unmeasured_objects(measure_request const& request) {
  std::vector<std::string> objects = request.objects;
  objects.insert(objects.end(), request.called.begin(), request.called.end());
  for (std::string const& object : objects) {
    if (!is_cuda_object(object) || exists(object + ".ptxas")) continue;
    if (unlink(object.c_str()) == 0) {
      std::fprintf(stderr, "warpguard: removed %s, because its .ptxas file is missing: build again\n", object.c_str());
    }
  }
}

std::vector<std::string> ptxas_files(measure_request const& request, measured_build const& build) {
  std::vector<std::string> files;
  for (object_facts const& object : build.objects) files.push_back(object.path + ".ptxas");
  for (std::string const& object : request.called) {
    if (is_cuda_object(object)) files.push_back(object + ".ptxas");
  }
  return files;
}

/// Returns the definition of WARPGUARD_TARGETS for the CHECKS: all measurable architectures of the build, in whatever
/// way they were passed to nvcc.
std::string write_targets(measured_build const& build) {
  std::set<int> const& all = build.real.empty() ? build.only_ptx : build.real;
  std::string list;
  for (int capability : all) append(list, ",", std::to_string(10 * capability));
  return "#undef WARPGUARD_TARGETS\n" + (list.empty() ? "" : "#define WARPGUARD_TARGETS " + list) + "\n";
}

// ---- the steps ------------------------------------------------------------------------------------------------------

/// The files that a step needs besides its request, and whether its result is valid until a file changes.
struct step_result {
  std::vector<std::string> needed;
  bool lasts = true;
};

step_result write_headers(measure_request const& request, measured_build const& build) {
  write_if_changed(request.header, write_header(request, build));
  write_if_changed(request.header + ".targets", write_targets(build));
  return {ptxas_files(request, build)};
}

/// A lock that is missing or unreadable is an error of the step `check`. The reports then ignore it.
step_result write_all_reports(measure_request const& request, measured_build const& build, bool checks_compiled,
                              failures& failed) {
  failures silent;
  silent.silent = true;
  read_checks const checks = read_contracts(request, checks_compiled ? failed : silent);
  lock_file lock;
  bool has_lock = false;
  if (!request.lock.empty()) {
    failures ignored;
    ignored.silent = true;
    lock = read_lock(request, ignored);
    has_lock = ignored.count == 0;
  }
  if (failed.count != 0) return {};
  report_contents contents;
  contents.checks_compiled = checks_compiled;
  contents.unused = checks.unused;
  contents.entries =
      entries_of(request, build, checks.contracts, checks_compiled || !has_lock ? entry_map{} : lock.entries);
  if (has_lock) contents.differences = compare(request, lock, contents.entries, build.real);
  write_reports(request, build, contents);
  // The final reports replace those that are written before the CHECKS are compiled.
  step_result result;
  if (checks_compiled) result.needed = report_files(request);
  if (!request.lock.empty()) result.needed.push_back(request.lock);
  return result;
}

/// The result depends on today's date if an exception of the lock is used.
step_result check(measure_request const& request, measured_build const& build, failures& unreadable, failures& broken) {
  entry_map const entries = entries_of(request, build, read_contracts(request, unreadable).contracts);
  lock_file const lock = read_lock(request, unreadable);
  if (unreadable.count != 0) return {};
  std::vector<difference> const differences = compare(request, lock, entries, build.real);
  print_differences(request, lock, entries, differences, broken);
  bool const lasts =
      std::none_of(differences.begin(), differences.end(), [](difference const& d) { return d.kind == "ALLOWED"; });
  return {{request.lock}, lasts};
}

/// Replaces the lock, unless it is the same already.
void write_changed_lock(measure_request const& request, std::string const& text, failures& failed) {
  std::string old;
  if (read_file(request.lock, old) && old == text) return;
  std::string const error = replace_file(request.lock, text);
  if (!error.empty()) failed.add(error);
}

void update(measure_request const& request, measured_build const& build, failures& failed, failures& broken) {
  entry_map const entries = entries_of(request, build, read_contracts(request, failed).contracts);
  lock_file old;
  std::string text;
  if (read_file(request.lock, text)) old = read_lock(request, failed, edited_lock::accept);
  std::string const why_not = why_not_recorded(request, old, entries);
  if (failed.count != 0) return;
  if (!why_not.empty()) return broken.add(why_not);
  write_changed_lock(request, update_lock(request, entries, old, build.real), failed);
}

/// Keeps what the old lock says about policy and comparisons, but no line and no exception.
void record_anew(measure_request const& request, measured_build const& build, failures& failed) {
  entry_map const entries = entries_of(request, build, read_contracts(request, failed).contracts);
  lock_file old;
  std::string text;
  if (read_file(request.lock, text)) old = read_lock(request, failed, edited_lock::accept);
  for (auto const& [kernel, exception] : old.exceptions) {
    std::fprintf(stderr, "warpguard: removed from the lock: allow %s: %s\n", shown_kernel(kernel).c_str(),
                 text_of(exception).c_str());
  }
  if (failed.count == 0) write_changed_lock(request, write_lock(request, old, entries, {}), failed);
}

}  // namespace

int run_step(step which, std::string const& request_path, std::string const& stamp) {
  failures unreadable;
  measure_request const request = read_request(request_path, unreadable);
  if (unreadable.count != 0) return exit_code::unreadable;
  bool const is_header = which == step::header;
  if (is_header) remove_unmeasured_objects(request);
  measured_build const build =
      read_build(request, unreadable, is_header ? device_link::run : device_link::reuse_output);
  if (unreadable.count == 0 && build.objects.empty()) {
    unreadable.add("ptxas compiled no object of " + request.name + ", so there is nothing to measure");
  }
  if (unreadable.count != 0) return exit_code::unreadable;

  failures broken;
  step_result result;
  switch (which) {
    case step::header: result = write_headers(request, build); break;
    case step::report: result = write_all_reports(request, build, true, unreadable); break;
    case step::unchecked_report: result = write_all_reports(request, build, false, unreadable); break;
    case step::lock_check: result = check(request, build, unreadable, broken); break;
    case step::lock_update: update(request, build, unreadable, broken); break;
    case step::lock_record_anew: record_anew(request, build, unreadable); break;
  }
  if (unreadable.count != 0) return exit_code::unreadable;
  if (broken.count != 0) return exit_code::broken;
  if (!stamp.empty() && result.lasts) write_stamp(stamp, result.needed);
  if (!stamp.empty() && !result.lasts) unlink(stamp.c_str());
  return exit_code::fine;
}

}  // namespace measure
