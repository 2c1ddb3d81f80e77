// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The steps of warpguard_measure().

#include "steps.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "build.hpp"
#include "differences.hpp"
#include "entries.hpp"
#include "header.hpp"
#include "launcher.hpp"
#include "lock.hpp"
#include "reports.hpp"
#include "request.hpp"
#include "stamp.hpp"

namespace measure {

namespace {

/// Writes a file only if its text changes, so that files which include it are not compiled again.
void write_if_changed(std::string const& path, std::string const& text) {
  std::string old;
  if (!read_file(path, old) || old != text) write_file(path, text);
}

/// Removes the objects whose text is missing or belongs to another object. No build step writes this text alone, so the
/// next build must compile the object again.
void remove_unmeasured_objects(measured_build const& build) {
  for (std::string const& object : build.not_measured) {
    if (unlink(object.c_str()) == 0) std::fprintf(stderr, "warpguard: removed %s: build again\n", object.c_str());
  }
}

std::vector<std::string> ptxas_files(measure_request const& request, measured_build const& build) {
  std::vector<std::string> files;
  for (object_facts const& object : build.objects) files.push_back(text_path_of(object.path));
  for (std::string const& object : request.called) {
    if (access(text_path_of(object).c_str(), F_OK) == 0) files.push_back(text_path_of(object));
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

/// The functions below return the files that the step needs besides its request.
using file_list = std::vector<std::string>;

file_list write_headers(measure_request const& request, measured_build const& build) {
  write_if_changed(request.header, write_header(request, build));
  write_if_changed(request.header + ".targets", write_targets(build));
  return ptxas_files(request, build);
}

/// A lock that is missing or unreadable is an error of the step `check`. The reports then ignore it.
file_list write_all_reports(measure_request const& request, measured_build const& build, bool checks_compiled,
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
  file_list needed;
  if (checks_compiled) needed = report_files(request);
  if (!request.lock.empty()) needed.push_back(request.lock);
  return needed;
}

}  // namespace

int run_step(step which, std::string const& request_path, std::string const& stamp) {
  failures unreadable;
  measure_request const request = read_request(request_path, unreadable);
  if (unreadable.count != 0) return exit_code::unreadable;
  bool const is_header = which == step::header;
  measured_build const build =
      read_build(request, unreadable, is_header ? device_link::run : device_link::reuse_output);
  if (is_header) remove_unmeasured_objects(build);
  if (unreadable.count == 0 && build.objects.empty()) unreadable.add(nothing_to_measure(request));
  if (unreadable.count != 0) return exit_code::unreadable;

  file_list needed;
  switch (which) {
    case step::header: needed = write_headers(request, build); break;
    case step::report: needed = write_all_reports(request, build, true, unreadable); break;
    case step::unchecked_report: needed = write_all_reports(request, build, false, unreadable); break;
  }
  if (unreadable.count != 0) return exit_code::unreadable;
  if (!stamp.empty()) write_stamp(stamp, needed);
  return exit_code::fine;
}

}  // namespace measure
