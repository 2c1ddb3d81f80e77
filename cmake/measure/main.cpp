// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The program behind warpguard_measure():
///
///     warpguard-measure compile <compiler> <argument>...   a compiler launcher: keeps ptxas's text beside the object
///     warpguard-measure header <request> [<stamp>]         all texts -> <target>.measured.hpp
///     warpguard-measure report <request> <stamp>           all texts -> the reports
///     warpguard-measure check <request> <stamp>            all texts against the lock
///     warpguard-measure update <request>                   all texts -> the lock
///
/// A stamp comes with <stamp>.d: the files that must be there and must not be newer than it.

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "header.hpp"
#include "lock.hpp"
#include "reports.hpp"

namespace {

using namespace measure;

bool exists(std::string const& path) {
  struct stat about;
  return stat(path.c_str(), &about) == 0;
}

/// What has not changed is not written, so that nothing that includes it is compiled again.
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

/// An object whose text somebody deleted, or that was compiled before it was measured: no build step would bring the
/// text, so the object goes, and the next build compiles both.
void remove_objects_without_text(request const& asked) {
  std::vector<std::string> objects = asked.objects;
  objects.insert(objects.end(), asked.called.begin(), asked.called.end());
  for (std::string const& object : objects) {
    if (!is_of_cuda(object) || exists(object + ".ptxas")) continue;
    if (unlink(object.c_str()) == 0) {
      std::fprintf(stderr, "warpguard: removed %s, which has no text of ptxas: build again\n", object.c_str());
    }
  }
}

std::vector<std::string> texts_of(request const& asked, measured_build const& build) {
  std::vector<std::string> texts;
  for (object_facts const& object : build.objects) texts.push_back(object.path + ".ptxas");
  for (std::string const& object : asked.called) {
    if (is_of_cuda(object)) texts.push_back(object + ".ptxas");
  }
  return texts;
}

/// WARPGUARD_TARGETS for CHECKS: what was compiled for, however nvcc was told of it, and can be measured.
std::string write_targets(measured_build const& build) {
  std::set<int> const& all = build.real.empty() ? build.unmeasurable : build.real;
  std::string text = "#undef WARPGUARD_TARGETS\n";
  for (int capability : all) {
    text += (capability == *all.begin() ? "#define WARPGUARD_TARGETS " : ",") + std::to_string(10 * capability);
  }
  return text + "\n";
}

void header(request const& asked, measured_build const& build) {
  write_if_changed(asked.header, write_header(asked, build));
  write_if_changed(asked.header + ".targets", write_targets(build));
}

/// A lock that is missing or cannot be read is for check() to say.
void write_all_reports(request const& asked, measured_build const& build, failures& failed) {
  auto const entries = entries_of(asked, build, read_contracts(asked, failed));
  if (failed.count != 0) return;
  failures of_the_lock;
  of_the_lock.silent = true;
  std::vector<difference> differences;
  if (!asked.lock.empty()) {
    lock_file const lock = read_lock(asked, of_the_lock);
    if (of_the_lock.count == 0) differences = compare(asked, lock, entries, build.real);
  }
  write_reports(asked, build, entries, differences);
}

/// Whether the answer holds until a file changes; where an exception is needed it is for today.
bool check(request const& asked, measured_build const& build, failures& failed) {
  auto const entries = entries_of(asked, build, read_contracts(asked, failed));
  lock_file const lock = read_lock(asked, failed);
  if (failed.count != 0) return false;
  std::vector<difference> const differences = compare(asked, lock, entries, build.real);
  say_differences(asked, lock, entries, differences, failed);
  return std::none_of(differences.begin(), differences.end(), [](difference const& d) { return d.kind == "ALLOWED"; });
}

void update(request const& asked, measured_build const& build, failures& failed) {
  auto const entries = entries_of(asked, build, read_contracts(asked, failed));
  lock_file old;
  std::string text;
  if (read_file(asked.lock, text)) old = read_lock(asked, failed);
  if (failed.count == 0) write_if_changed(asked.lock, write_lock(asked, entries, old, build.real));
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const given(arguments + 1, arguments + count);
  if (given.size() >= 2 && given[0] == "compile") {
    return launch(std::vector<std::string>(given.begin() + 1, given.end()));
  }
  std::string const what = given.empty() ? "" : given[0];
  bool const stamped = given.size() == 3 && (what == "header" || what == "report" || what == "check");
  if (!stamped && (given.size() != 2 || (what != "header" && what != "update"))) {
    std::fputs(
        "warpguard-measure compile <compiler> <argument>... | header <request> [<stamp>] | report <request> <stamp> | "
        "check <request> <stamp> | update <request>\n",
        stderr);
    return 2;
  }
  failures failed;
  request const asked = read_request(given[1], failed);
  if (what == "header") remove_objects_without_text(asked);
  measured_build const build = read_build(asked, failed, what == "header" ? device_link::anew : device_link::as_kept);
  if (failed.count == 0 && build.objects.empty()) {
    failed.say("no object of " + asked.name + " is of CUDA code that ptxas compiles, so nothing is measured");
  }
  if (failed.count != 0) return 1;
  bool lasts = true;
  std::vector<std::string> needed;
  if (what == "header") {
    header(asked, build);
    needed = texts_of(asked, build);
  } else if (what == "report") {
    write_all_reports(asked, build, failed);
    for (char const* const kind : {".md", ".json", ".sarif"}) needed.push_back(asked.reports + "/" + asked.name + kind);
    if (!asked.lock.empty()) needed.push_back(asked.lock);
  } else if (what == "check") {
    lasts = check(asked, build, failed);
    needed = {asked.lock};
  } else {
    update(asked, build, failed);
  }
  if (failed.count != 0) return 1;
  if (stamped && lasts) write_stamp(given[2], needed);
  if (stamped && !lasts) unlink(given[2].c_str());
  return 0;
}
