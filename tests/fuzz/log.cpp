// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The output of a build: a kernel is reported only with all of its lines, and a lock that is written from the kernels
/// is read as it was written.

#include "log.hpp"

#include "fuzz.hpp"
#include "lock.hpp"
#include "sources.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  if (measure::begins(text, "warpguard-")) return 0;  // another kind of file
  fuzz::memory_file const log(text);

  measure::failures failed = fuzz::silent();
  measure::log_kernels const found = measure::read_logs({log.path()}, false, failed);
  if (failed.count != 0) return 0;
  std::vector<std::string> const lines = measure::lines_of(text);
  for (measure::found_kernel const& each : found.all) {
    fuzz::require_complete_block(lines, each.line, each.symbol, each.compute_capability, each.numbers.registers);
  }

  measure::source_options options;
  options.from = {log.path()};
  measure::measured_source source = measure::read_sources(options, failed);
  if (failed.count != 0) return 0;
  std::string const lock = write_lock(source.request, {}, source.entries, {});
  fuzz::memory_file const file(lock);
  source.request.lock = file.path();
  measure::lock_file const read = read_lock(source.request, failed);
  fuzz::require(failed.count == 0, "a lock of any log can be read", lock);
  fuzz::require(read.entries.size() == source.entries.size(), "a lock has all kernels of its log", lock);
  fuzz::require(write_lock(source.request, read, read.entries, read.exceptions) == lock,
                "a lock of a log is read as it was written", lock);
  return 0;
}
