// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The compiler launcher: runs nvcc with `-Xptxas=-v`, keeps what ptxas says beside the object, passes everything else
/// on, and ends as nvcc ends.

#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <vector>

#include "ptxas_text.hpp"
#include "text.hpp"

namespace measure {

/// Runs a command and gives its standard error; returns its exit code, 128 + n where signal n ended it.
inline int run_command(std::vector<std::string> const& command, std::string& said) {
  std::vector<char*> arguments;
  for (std::string const& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe(ends) != 0) return 127;
  pid_t const child = fork();
  if (child < 0) return 127;
  if (child == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments[0], arguments.data());
    std::string const text = "warpguard: cannot run " + command[0] + "\n";
    (void)!write(2, text.data(), text.size());
    _exit(127);
  }
  close(ends[1]);
  char buffer[65536];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (count > 0) said.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The text's own lines come first, so that it says for itself what was compiled and for which architectures.
inline int launch(std::vector<std::string> command) {
  std::string object;
  bool compiles = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "-o" && i + 1 < command.size()) object = command[i + 1];
    compiles = compiles || command[i] == "-c" || command[i] == "-dc" || command[i] == "--compile" ||
               command[i] == "--device-c" || command[i] == "-dw";
  }
  bool const measures = compiles && !object.empty();
  std::string const text_path = object + ".ptxas";
  if (measures) {
    unlink(text_path.c_str());  // a compilation that fails leaves no old numbers
    command.push_back("-Xptxas=-v");
  }
  std::string said;
  int const code = run_command(command, said);

  std::string kept = "warpguard-ptxas-text 1\n";
  for (std::string const& argument : command) {
    std::string line = argument;
    for (char& c : line) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    kept += "argument " + line + "\n";
  }
  kept += "text\n";
  std::string passed;
  for (std::size_t begin = 0; begin < said.size();) {
    std::size_t end = said.find('\n', begin);
    end = end == std::string::npos ? said.size() : end + 1;
    std::string const line = said.substr(begin, end - begin);
    begin = end;
    kept += line;
    if (!measures || !is_info(line)) passed += line;
  }
  if (!said.empty() && said.back() != '\n') kept += "\n";
  kept += "end\n";
  std::fwrite(passed.data(), 1, passed.size(), stderr);
  if (measures && code == 0) write_file(text_path, kept);
  return code;
}

}  // namespace measure
