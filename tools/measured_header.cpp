// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "measured_header.hpp"

#include <sys/stat.h>
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

bool exists(std::string const& path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0;
}

/// Writes a file only if its text changes, so that files which include it are not compiled again.
void write_if_changed(std::string const& path, std::string const& text) {
  std::string old;
  if (!read_file(path, old) || old != text) write_file(path, text);
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

}  // namespace

int write_measured_header(std::string const& request_path, std::string const& stamp) {
  failures unreadable;
  measure_request const request = read_request(request_path, unreadable);
  if (unreadable.count != 0) return exit_code::unreadable;
  remove_unmeasured_objects(request);
  measured_build const build = read_build(request, unreadable, device_link::run);
  if (unreadable.count == 0 && build.objects.empty()) unreadable.add(nothing_to_measure(request));
  if (unreadable.count != 0) return exit_code::unreadable;
  write_if_changed(request.header, write_header(request, build));
  write_if_changed(request.header + ".targets", write_targets(build));
  if (!stamp.empty()) write_stamp(stamp, ptxas_files(request, build));
  return exit_code::fine;
}

}  // namespace measure
