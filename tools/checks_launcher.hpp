// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The compiler launcher of the CHECKS. If the compiler refuses a file, the build must go on, because other targets are
/// checked too. So the launcher keeps the compiler's messages for `warpguard check`, which fails.

#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "launcher.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

namespace detail {

/// Returns the object of a command `... -o <object> -c <source>`, as CMake writes it; empty for any other command.
inline std::string compiled_object(std::vector<std::string> const& command) {
  std::string object;
  bool compiles = false;
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] == "-o") object = command[i + 1];
    compiles = compiles || command[i] == "-c";
  }
  return compiles ? object : "";
}

/// Compiles an empty source to the object, with the flags of the command, because the link needs an object. The object
/// is as old as can be, so that the next build compiles the CHECKS again.
inline int compile_empty_object(std::vector<std::string> command, std::string const& object) {
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] != "-c") continue;
    command[i + 1] = "/dev/null";
    command.insert(command.begin() + static_cast<std::ptrdiff_t>(i) + 1, {"-x", "c++"});
    break;
  }
  std::string output;
  int const code = run_command(command, output);
  struct timespec const oldest[2] = {{1, 0}, {1, 0}};
  return code == 0 && utimensat(AT_FDCWD, object.c_str(), oldest, 0) != 0 ? 1 : code;
}

}  // namespace detail

/// Runs the compiler. Returns 0 if it refuses the source, but not if it cannot compile anything or is interrupted.
inline int launch_checks(std::vector<std::string> const& command) {
  std::string const object = detail::compiled_object(command);
  if (object.empty()) return detail::replace_process(command);
  std::string const refusal = refusal_of(object);
  unlink(refusal.c_str());
  std::string output;
  int const code = run_command(command, output);
  bool const is_refused = code > 0 && code < 126 && detail::compile_empty_object(command, object) == 0;
  if (is_refused) {
    write_file(refusal, output);
    return 0;
  }
  std::fwrite(output.data(), 1, output.size(), stderr);
  return code;
}

}  // namespace measure
