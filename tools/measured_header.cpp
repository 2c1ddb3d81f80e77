// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "measured_header.hpp"

#include <unistd.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "build.hpp"
#include "header.hpp"
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

}  // namespace

int write_measured_header(std::string const& request_path, std::string const& stamp) {
  failures unreadable;
  measure_request const request = read_request(request_path, unreadable);
  if (unreadable.count != 0) return exit_code::unreadable;
  measured_build const build = read_build(request, unreadable, device_link::run);
  remove_unmeasured_objects(build);
  if (unreadable.count == 0 && build.objects.empty()) unreadable.add(nothing_to_measure(request));
  if (unreadable.count != 0) return exit_code::unreadable;
  write_if_changed(request.header, write_header(request, build));
  write_if_changed(request.header + ".targets", write_targets(build));
  if (!stamp.empty()) write_stamp(stamp, ptxas_files(request, build));
  return exit_code::fine;
}

}  // namespace measure
