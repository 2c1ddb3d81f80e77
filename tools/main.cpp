// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The program `warpguard`: its commands and their arguments.

#include <CLI/CLI.hpp>
#include <cstring>
#include <string>
#include <vector>
#include <warpguard/version.hpp>

#include "check.hpp"
#include "checks_launcher.hpp"
#include "launcher.hpp"
#include "read.hpp"
#include "steps.hpp"
#include "text.hpp"

namespace {

using namespace measure;

/// A step of warpguard_measure(), and its arguments.
struct step_command {
  step which = step::header;
  std::string request;
  std::string stamp;

  void add_to(CLI::App& parent, std::string const& name, std::string const& description, bool has_stamp, int& status) {
    CLI::App* const command = parent.add_subcommand(name, description);
    command->add_option("request", request, "the file that warpguard_measure() wrote for the target")->required();
    if (has_stamp) {
      command->add_option("stamp", stamp,
                          "an empty file that is written if the command succeeds; <stamp>.d lists the files after "
                          "whose change it has to run again");
    }
    if (which == step::report) {
      command->add_flag_callback(
          "--unchecked", [this] { which = step::unchecked_report; },
          "the CHECKS are not compiled yet: use the last known contracts");
    }
    command->callback([this, &status] { status = run_step(which, request, stamp); });
  }
};

bool is_command(char** arguments, char const* name) { return std::strcmp(arguments[1], name) == 0; }

/// The command of `warpguard compile [--] <command>` or `compile-checks`. Its arguments are the compiler's, so they are
/// not parsed.
std::vector<std::string> command_to_launch(int count, char** arguments) {
  if (count < 3 || !(is_command(arguments, "compile") || is_command(arguments, "compile-checks"))) return {};
  std::string const first = arguments[2];
  if (first == "--") return {arguments + 3, arguments + count};
  return begins(first, "-") ? std::vector<std::string>{} : std::vector<std::string>{arguments + 2, arguments + count};
}

int run(int count, char** arguments) {
  int status = exit_code::fine;
  CLI::App app{"What ptxas used for CUDA kernels: measured, compared, reported.", "warpguard"};
  app.set_version_flag("--version", "warpguard " + std::to_string(WARPGUARD_VERSION_MAJOR) + "." +
                                        std::to_string(WARPGUARD_VERSION_MINOR) + "." +
                                        std::to_string(WARPGUARD_VERSION_PATCH));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 fine; 1 a kernel is worse than its lock allows, or an update would mix compilers or flags; 2 "
      "wrong use; 3 an input cannot be read, or an "
      "output cannot be written. `compile` returns the exit code of the compiler.");

  CLI::App* const compile = app.add_subcommand(
      "compile", "Runs a compiler, and keeps what ptxas says about the kernels in <object>.ptxas beside the object.");
  std::vector<std::string> compiler;
  compile->add_option("command", compiler, "the compiler and its arguments, after -- if they could be taken for ours")
      ->required();

  CLI::App* const compile_checks =
      app.add_subcommand("compile-checks",
                         "Compiles CHECKS. If the compiler refuses them, keeps its messages for `check`, which fails.");
  compile_checks->add_option("command", compiler, "the compiler and its arguments")->required();

  read_options read;
  CLI::App* const reading = app.add_subcommand(
      "read", "Lists the kernels of a build from its output. The build has to call nvcc with -Xptxas -v.");
  reading->add_option("log", read.logs, "files with the output of the build; - is standard input")->required();
  CLI::Option* const json = reading->add_flag("--json", read.json, "write JSON");
  reading->add_flag("--csv", read.csv, "write comma-separated values")->excludes(json);
  reading->add_flag("--largest", read.largest,
                    "if a kernel occurs several times, take the largest of each number; otherwise that is an error");
  reading->callback([&] { status = read_logs(read); });

  step_command header{step::header, {}, {}};
  header.add_to(app, "header", "Writes the numbers of a target's kernels as C++ constants.", true, status);
  step_command report{step::report, {}, {}};
  report.add_to(app, "report", "Writes the reports of a target: markdown, JSON and SARIF.", true, status);
  std::vector<std::string> requests;
  CLI::App* const checking_targets = app.add_subcommand(
      "check", "Checks measured targets: their CHECKS and their locks. Writes their reports. Exits with 1 if one is broken.");
  checking_targets->add_option("request", requests, "the files that warpguard_measure() wrote for the targets")
      ->required();
  checking_targets->callback([&] { status = check_targets(requests); });
  CLI::App* const lock = app.add_subcommand("lock", "Compares a target's kernels with their lock, or records it.");
  lock->require_subcommand(1);
  step_command check{step::lock_check, {}, {}};
  check.add_to(*lock, "check", "Compares the build with the lock. Exits with 1 if a kernel got worse.", true, status);
  step_command update{step::lock_update, {}, {}};
  update.add_to(*lock, "update", "Writes the lock. Refuses to mix compilers or flags.", false, status);
  step_command record_anew{step::lock_record_anew, {}, {}};
  record_anew.add_to(*lock, "record-anew", "Replaces all lines of the lock, for another compiler or other flags.",
                     false, status);

  try {
    app.parse(count, arguments);
  } catch (CLI::ParseError const& error) {
    return app.exit(error) == 0 ? exit_code::fine : exit_code::wrong_use;
  }
  return status;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> const command = command_to_launch(count, arguments);
  if (command.empty()) return run(count, arguments);
  return is_command(arguments, "compile") ? launch(command) : launch_checks(command);
}
