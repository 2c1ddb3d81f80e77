// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "gate.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "delta.hpp"
#include "delta_json.hpp"
#include "delta_markdown.hpp"
#include "delta_text.hpp"
#include "differences.hpp"
#include "entries.hpp"
#include "kernel_set.hpp"
#include "lock.hpp"
#include "page.hpp"
#include "request.hpp"
#include "sarif.hpp"
#include "sources.hpp"
#include "text.hpp"

namespace measure {

namespace {

/// The folder of a file. Sources are named relative to that of the lock, from whichever folder the check is run.
std::string folder_of(std::string const& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().parent_path().string();
}

/// The kernels that a lock is compared with.
measured_source read_gate_source(gate_options const& options, failures& failed) {
  source_options where = options.source;
  where.root = folder_of(options.lock);
  measured_source source = read_sources(where, failed);
  measure_request& request = source.request;
  request.lock = options.lock;
  if (options.strict) request.strict = "ON";
  request.record_command = options.record_command;
  if (request.record_command.empty()) {
    request.record_command = "warpguard lock {} " + in_shell(options.lock);
    auto const add = [&](std::string const& option) { request.record_command += " " + option; };
    for (std::string const& each : options.source.from) add("--from " + in_shell(each));
    for (std::string const& each : options.source.except) add("--except " + in_shell(each));
    if (!options.source.compiler.empty()) add("--compiler " + in_shell(options.source.compiler));
    if (options.source.largest) add("--largest");
  }
  return source;
}

/// Replaces the lock, unless it is the same already.
void write_changed_lock(measure_request const& request, std::string const& text, failures& failed) {
  std::string old;
  if (read_file(request.lock, old) && old == text) return;
  std::string const error = replace_file(request.lock, text);
  if (!error.empty()) failed.add(error);
}

/// Reads the lock that is to be replaced, if there is one.
lock_file read_old_lock(measure_request const& request, failures& failed) {
  std::string text;
  return read_file(request.lock, text) ? read_lock(request, failed, edited_lock::accept) : lock_file{};
}

std::string diff_text(diff_options const& options, measure_request const& request, kernel_set const& after,
                      delta const& changes) {
  switch (options.format) {
    case diff_format::html: {
      failures ignored;
      bool const is_lock = kind_of_source(options.old_source, ignored) == source_kind::lock;
      return write_page(changes.then_origin + " and " + changes.now_origin, after, changes,
                        is_lock ? read_lock_history(request) : lock_history{});
    }
    case diff_format::markdown: return delta_markdown(changes, largest_comment, "`warpguard diff --json`");
    case diff_format::json: return delta_json(changes);
    case diff_format::sarif: return write_sarif(request, sarif_results(changes, {}, request.lock));
    case diff_format::text: break;
  }
  return delta_text(changes);
}

}  // namespace

int check_lock(gate_options const& options) {
  failures unreadable;
  measured_source const source = read_gate_source(options, unreadable);
  lock_file const lock = unreadable.count == 0 ? read_lock(source.request, unreadable) : lock_file{};
  if (unreadable.count != 0) return exit_code::unreadable;
  std::vector<difference> const differences = compare(source.request, lock, source.entries, source.build.real);
  failures broken;
  print_differences(source.request, lock, source.entries, differences, broken);
  return broken.count == 0 ? exit_code::fine : exit_code::broken;
}

int update_lock(gate_options const& options) {
  failures failed;
  measured_source const source = read_gate_source(options, failed);
  lock_file const old = read_old_lock(source.request, failed);
  if (failed.count != 0) return exit_code::unreadable;
  std::string const why_not = why_not_recorded(source.request, old, source.entries);
  if (!why_not.empty()) {
    failed.add(why_not);
    return exit_code::broken;
  }
  write_changed_lock(source.request, updated_lock(source.request, source.entries, old, source.build.real), failed);
  return failed.count == 0 ? exit_code::fine : exit_code::unreadable;
}

/// Keeps what the old lock says about policy and comparisons, but no line and no exception.
int record_lock_anew(gate_options const& options) {
  failures failed;
  measured_source const source = read_gate_source(options, failed);
  lock_file const old = read_old_lock(source.request, failed);
  if (failed.count != 0) return exit_code::unreadable;
  for (auto const& [kernel, exception] : old.exceptions) {
    std::fprintf(stderr, "warpguard: removed from the lock: allow %s: %s\n", shown_kernel(kernel).c_str(),
                 text_of(exception).c_str());
  }
  write_changed_lock(source.request, write_lock(source.request, old, source.entries, {}), failed);
  return failed.count == 0 ? exit_code::fine : exit_code::unreadable;
}

int verify_locks(std::vector<std::string> const& locks) {
  failures failed;
  for (std::string const& path : locks) {
    measure_request request;
    request.lock = path;
    read_lock(request, failed);
  }
  return failed.count == 0 ? exit_code::fine : exit_code::unreadable;
}

int print_diff(diff_options const& options) {
  failures failed;
  kernel_set before;
  kernel_set after;
  source_options where = options.source;
  failures shown_later;
  shown_later.silent = true;
  for (std::string const& side : {options.old_source, options.new_source}) {
    if (kind_of_source(side, shown_later) == source_kind::lock) where.root = folder_of(side);
  }
  lock_file lock = read_kernels(options.old_source, where, before, failed);
  read_kernels(options.new_source, where, after, failed);
  if (failed.count != 0) return exit_code::unreadable;
  measure_request request;
  request.lock = options.old_source;
  request.compiler = after.compiler;
  // Whoever asks for a comparison of two builds wants it whatever they were built with.
  lock.compares_compilers = lock.compares_flags = true;
  std::vector<difference> const differences = compare(request, lock, after.entries, after.built);
  delta const changes = make_delta(before, after, differences);
  std::string const text = diff_text(options, request, after, changes);
  std::fwrite(text.data(), 1, text.size(), stdout);
  bool const fails = std::any_of(differences.begin(), differences.end(), [](difference const& d) { return d.fails; });
  return fails ? exit_code::broken : exit_code::fine;
}

}  // namespace measure
