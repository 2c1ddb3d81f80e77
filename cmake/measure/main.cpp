// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The program behind warpguard_measure():
///
///     warpguard-measure compile <compiler> <argument>...   a compiler launcher: keeps ptxas's text beside the object
///     warpguard-measure header <request>                   all texts -> <target>.measured.hpp
///     warpguard-measure check <request> <stamp>            all texts against the lock, and the reports
///     warpguard-measure update <request>                   all texts -> the lock

#include <cstdio>
#include <string>
#include <vector>

#include "header.hpp"
#include "lock.hpp"
#include "reports.hpp"

namespace {

using namespace measure;

void check(request const& asked, measured_build const& build, failures& failed) {
  auto const held = read_contracts(asked, failed);
  auto const entries = entries_of(build, held);
  std::vector<difference> differences;
  bool const readable = failed.count == 0;
  if (readable && !asked.lock.empty()) {
    lock_file const lock = read_lock(asked.lock, failed);
    if (failed.count == 0) {
      differences = compare(asked, lock, entries, build.real);
      say_differences(asked, lock, entries, differences, failed);
    }
  }
  if (readable && !asked.reports.empty()) write_reports(asked, build, entries, differences);
}

void update(request const& asked, measured_build const& build, failures& failed) {
  auto const entries = entries_of(build, read_contracts(asked, failed));
  lock_file old;
  std::string text;
  if (read_file(asked.lock, text)) old = read_lock(asked.lock, failed);
  if (failed.count == 0) write_file(asked.lock, write_lock(asked, entries, old, build.real));
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const given(arguments + 1, arguments + count);
  if (given.size() >= 2 && given[0] == "compile") {
    return launch(std::vector<std::string>(given.begin() + 1, given.end()));
  }
  bool const known =
      given.size() == 2 ? given[0] == "header" || given[0] == "update" : given.size() == 3 && given[0] == "check";
  if (!known) {
    std::fputs(
        "warpguard-measure compile <compiler> <argument>... | header <request> | check <request> <stamp> | "
        "update <request>\n",
        stderr);
    return 2;
  }
  failures failed;
  request const asked = read_request(given[1], failed);
  measured_build const build = read_build(asked, failed);
  if (failed.count != 0) return 1;
  if (given[0] == "header") write_file(asked.header, write_header(asked, build));
  if (given[0] == "update") update(asked, build, failed);
  if (given[0] == "check") check(asked, build, failed);
  if (failed.count != 0) return 1;
  if (given[0] == "check") write_file(given[2], "");
  return 0;
}
