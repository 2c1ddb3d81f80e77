// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The compiler launcher: runs nvcc with `-Xptxas=-v`, or clang with `-Xcuda-ptxas -v`, writes its output to a file
/// beside the object, prints everything except the lines of -v, and returns the compiler's exit code.

#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "compilation.hpp"
#include "object_text.hpp"
#include "ptxas_text.hpp"
#include "text.hpp"

namespace measure {

namespace detail {

/// Replaces this process by the command. Returns only if that fails.
inline int replace_process(std::vector<std::string> const& command) {
  std::vector<char*> arguments;
  for (std::string const& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  std::string const text = "warpguard: cannot run " + command[0] + "\n";
  (void)!write(2, text.data(), text.size());
  return 127;
}

inline volatile pid_t running_child = 0;

/// Ctrl-C reaches the child too, so the launcher only has to outlive the child. SIGTERM and SIGHUP may be sent to the
/// launcher alone, so they are forwarded.
inline void forward_signal(int signal) {
  if (signal == SIGTERM || signal == SIGHUP) kill(running_child, signal);
}

/// Handles the four signals while a child runs, and restores the former handlers afterwards.
class signal_forwarding {
 public:
  signal_forwarding() {
    for (int i = 0; i < count; ++i) {
      if (sigaction(signals[i], nullptr, &before_[i]) != 0 || before_[i].sa_handler == SIG_IGN) continue;
      struct sigaction action = before_[i];
      action.sa_handler = forward_signal;
      action.sa_flags = SA_RESTART;
      sigaction(signals[i], &action, nullptr);
    }
  }
  signal_forwarding(signal_forwarding const&) = delete;
  ~signal_forwarding() {
    for (int i = 0; i < count; ++i) sigaction(signals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int count = 4;
  static constexpr int signals[count] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction before_[count] = {};
};

}  // namespace detail

/// Runs a command and calls `each_line` with each line of its standard error. Returns the exit code, or 128 + n if
/// signal n ended the command.
template <class EachLine>
int run_command(std::vector<std::string> const& command, EachLine each_line) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return 127;
  pid_t const child = fork();
  if (child < 0) return 127;
  if (child == 0) {
    dup2(pipe_ends[1], 2);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    _exit(detail::replace_process(command));
  }
  close(pipe_ends[1]);
  detail::running_child = child;
  detail::signal_forwarding const handlers;

  int status = 0;
  bool ended = false;
  std::string line;
  char buffer[65536];
  for (;;) {
    // The server of a compiler cache may keep the pipe open after the command ends, so do not wait for the end of the
    // pipe.
    struct pollfd wait = {pipe_ends[0], POLLIN, 0};
    int const ready = poll(&wait, 1, ended ? 0 : 100);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      if (ended) break;
      ended = waitpid(child, &status, WNOHANG) == child;
      continue;
    }
    ssize_t const count = read(pipe_ends[0], buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    for (ssize_t i = 0; i < count; ++i) {
      line += buffer[i];
      if (buffer[i] != '\n') continue;
      each_line(line);
      line.clear();
    }
  }
  if (!line.empty()) each_line(line);
  close(pipe_ends[0]);
  while (!ended && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline int run_command(std::vector<std::string> const& command, std::string& output) {
  return run_command(command, [&](std::string const& line) { output += line; });
}

/// Returns the words of nvcc's option files, which may have -rdc=true or flags of ptxas. nvcc runs in this folder, so
/// their paths are valid only now. Quotation marks are removed, and a quoted space separates words.
inline std::vector<std::string> words_of_option_files(std::vector<std::string> const& command) {
  std::string files;
  for (std::size_t i = 0; i < command.size(); ++i) {
    for (char const* const name : {"-optf", "--options-file"}) {
      if (command[i] == name && i + 1 < command.size()) append(files, ",", command[i + 1]);
      if (begins(command[i], std::string(name) + "=")) append(files, ",", command[i].substr(command[i].find('=') + 1));
    }
  }
  std::vector<std::string> words;
  for (std::string const& file : split(files, ',')) {
    std::string text;
    if (!read_file(file, text)) continue;  // nvcc reports it
    std::string word;
    for (char c : text + "\n") {
      bool const is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!is_space && c != '"') word += c;
      if (!is_space || word.empty()) continue;
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

/// Returns the lines of the text that say how the object was compiled.
inline std::string lines_of_arguments(std::vector<std::string> const& command) {
  std::string lines;
  auto const add_argument = [&](std::string line) {
    for (char& c : line) {
      if (c == '\n' || c == '\r') c = ' ';
    }
    lines += "argument " + line + "\n";
  };
  std::error_code ignored;
  std::string const folder = std::filesystem::current_path(ignored).string();
  if (!folder.empty() && folder.find_first_of("\r\n") == std::string::npos) lines += "folder " + folder + "\n";
  for (std::string const& argument : command) add_argument(argument);
  for (std::string const& argument : words_of_option_files(command)) add_argument(argument);
  for (char const* const name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"}) {
    char const* const value = std::getenv(name);
    for (std::string const& argument : split(value == nullptr ? "" : value, ' ')) {
      if (!argument.empty()) add_argument(argument);
    }
  }
  return lines;
}

/// Adds the option with which ptxas prints what it used, unless it is there.
inline void add_verbose(std::vector<std::string>& command) {
  std::vector<std::string> option = {"-Xptxas=-v"};
  if (runs_clang(command)) option = {"-Xcuda-ptxas", "-v"};
  auto const at = std::search(command.begin(), command.end(), option.begin(), option.end());
  if (at == command.end()) command.insert(command.end(), option.begin(), option.end());
}

/// Runs the compiler for one output, and writes the text beside it. An output without device code gets none.
inline int compile(compilation run) {
  std::string const text_path = text_path_of(run.output);
  unlink(text_path.c_str());  // so that a failed compilation leaves no old numbers
  add_verbose(run.command);

  std::string printed;
  int const code = run_command(run.command, [&](std::string const& line) {
    printed += line;
    if (!is_info(line)) std::fwrite(line.data(), 1, line.size(), stderr);
  });
  device_code device;
  if (code != 0 || !read_device_code_of(run.output, device)) return code;
  if (device.is_known_format && !device.is_present) return code;
  if (!printed.empty() && printed.back() != '\n') printed += "\n";
  std::string const text = std::string(object_text_format) + "\n" + line_of(device.digest) + "\n" +
                           lines_of_arguments(run.command) + lines_of(device.kernels) + "text\n" + printed + "end\n";
  // Renamed when it is complete, so that there is never an incomplete file, even if this process is killed.
  write_file(text_path + ".part", text);
  if (std::rename((text_path + ".part").c_str(), text_path.c_str()) != 0) {
    std::fprintf(stderr, "warpguard: cannot write %s\n", text_path.c_str());
    return 1;
  }
  return code;
}

/// Runs a compiler. nvcc with several sources runs once for each, and not for those after one that fails.
inline int launch(std::vector<std::string> const& command) {
  std::vector<compilation> const runs = compilations_of(command, words_of_option_files(command));
  if (runs.empty()) return detail::replace_process(command);
  int code = 0;
  for (compilation const& run : runs) {
    code = run.output.empty()
               ? run_command(run.command, [](std::string const& line) { std::fputs(line.c_str(), stderr); })
               : compile(run);
    if (code != 0) break;
  }
  return code;
}

}  // namespace measure
