// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The lock: what is read from it can be written and read again, and no part of it is taken for the whole.

#include "lock.hpp"

#include <algorithm>

#include "fuzz.hpp"

namespace {

measure::lock_file read(std::string const& text, int& errors, measure::edited_lock edited) {
  fuzz::memory_file const file(text);
  measure::measure_request request;
  request.lock = file.path();
  measure::failures failed = fuzz::silent();
  measure::lock_file lock = read_lock(request, failed, edited);
  errors = failed.count;
  return lock;
}

}  // namespace

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text = fuzz::text_of(data, size);
  int errors = 0;
  // A lock with another digest is accepted here, because no random change hits the digest.
  measure::lock_file const lock = read(text, errors, measure::edited_lock::accept);
  if (errors != 0) return 0;
  measure::measure_request request;
  request.compiler = lock.compiler;
  std::string const written = write_lock(request, lock, lock.entries, lock.exceptions);
  measure::lock_file const again = read(written, errors, measure::edited_lock::refuse);
  fuzz::require(errors == 0, "a written lock can be read", written);
  fuzz::require(again.entries.size() == lock.entries.size() && again.exceptions.size() == lock.exceptions.size() &&
                    again.compiler == lock.compiler,
                "a written lock has all lines", written);
  fuzz::require(write_lock(request, again, again.entries, again.exceptions) == written,
                "a lock is read as it was written", written);

  // Each prefix of a short lock, and some of a long one: those around a position that depends on the input.
  std::size_t const some = 64;
  std::size_t const middle = std::hash<std::string>{}(text) % written.size();
  std::size_t const first = written.size() <= 1500 ? 0 : middle - std::min(middle, some);
  std::size_t const end = written.size() <= 1500 ? written.size() : std::min(written.size(), middle + some);
  for (std::size_t length = first; length < end; ++length) {
    read(written.substr(0, length), errors, measure::edited_lock::refuse);
    fuzz::require(errors != 0, "a lock that is cut is refused", written.substr(0, length));
  }
  return 0;
}
