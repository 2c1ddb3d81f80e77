// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The program `warpguard`: its commands and their arguments.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#include <warpguard/version.hpp>

#include "check.hpp"
#include "checks_launcher.hpp"
#include "command_line_docs.hpp"
#include "gate.hpp"
#include "launcher.hpp"
#include "measured_header.hpp"
#include "query/commands.hpp"
#include "read.hpp"
#include "sources.hpp"
#include "text.hpp"

namespace {

using namespace measure;

constexpr char stamp_words[] =
    "an empty file that is written if the command succeeds; <stamp>.d lists the files after whose change it has to run "
    "again";

constexpr char request_words[] = "the file <target>.warpguard/request.txt, which warpguard_measure() writes";

/// Where the kernels of a command are read from.
void add_source_options(CLI::App& command, source_options& source) {
  command.add_option("--compiler", source.compiler, "the compiler of a log, which does not say it: \"nvcc 13.0.88\"")
      ->type_name("NAME");
  command.add_option("--except", source.except, "leave out kernels whose names begin with this; may be repeated")
      ->type_name("PREFIX");
  command.add_flag("--largest", source.largest,
                   "if a kernel occurs several times in a log, take the largest of each number");
}

/// A command of `warpguard lock`, and its arguments.
struct lock_command {
  gate_options options;

  CLI::App* add_to(CLI::App& parent, std::string const& name, std::string const& description,
                   int (*run)(gate_options const&), int& status) {
    CLI::App* const command = parent.add_subcommand(name, description);
    command->add_option("lock", options.lock, "the lock")->type_name(file_type)->required();
    command
        ->add_option("--from", options.source.from,
                     "the build: its output (- is standard input), objects that `warpguard compile` compiled, a folder "
                     "with such objects, or the folder <target>.warpguard of warpguard_measure(); may be repeated")
        ->type_name(path_type)
        ->required();
    add_source_options(*command, options.source);
    command->add_option("--record-with", options.record_command,
                        "the command of your build that records the lock, for messages: \"make warpguard-{}\"; {} "
                        "stands for update or record-anew");
    command->callback([this, run, &status] { status = run(options); });
    return command;
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

/// Adds `warpguard completion` and `warpguard man`, which describe the whole program.
void add_docs_commands(CLI::App& app, std::string const& version) {
  CLI::App* const completion =
      app.add_subcommand("completion", "Prints what a shell needs to complete the command line of warpguard.");
  completion->require_subcommand(1);
  struct {
    char const* shell;
    std::string (*write)(CLI::App const&);
    char const* words;
  } const shells[] = {{"bash", write_bash_completion, "For bash: source <(warpguard completion bash)"},
                      {"zsh", write_zsh_completion, "For zsh: save it as the file _warpguard in a folder of $fpath"},
                      {"fish", write_fish_completion, "For fish: warpguard completion fish | source"}};
  for (auto const& each : shells) {
    completion->add_subcommand(each.shell, each.words)->callback([&app, write = each.write] {
      std::fputs(write(app).c_str(), stdout);
    });
  }
  app.add_subcommand("man", "Prints the manual page, in the format of man: warpguard man | man -l -")
      ->callback([&app, version] { std::fputs(write_manual_page(app, version).c_str(), stdout); });
}

int run(int count, char** arguments) {
  int status = exit_code::fine;
  CLI::App app{"CUDA kernels without a GPU: what ptxas used, what changed, and what runs on a GPU at once.",
               "warpguard"};
  std::string const version = "warpguard " + std::to_string(WARPGUARD_VERSION_MAJOR) + "." +
                              std::to_string(WARPGUARD_VERSION_MINOR) + "." + std::to_string(WARPGUARD_VERSION_PATCH);
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 fine; 1 a kernel is worse than its lock allows, or an update would mix compilers or flags; 2 "
      "wrong use; 3 an input cannot be read, or an "
      "output cannot be written. `compile` returns the exit code of the compiler.");

  CLI::App* const compile = app.add_subcommand(
      "compile", "Runs a compiler, and keeps what ptxas says about the kernels in <object>.ptxas beside the object.");
  std::vector<std::string> compiler;
  compile->add_option("command", compiler, "the compiler and its arguments, after -- if they could be taken for ours")
      ->type_name(file_type)
      ->required();

  CLI::App* const compile_checks = app.add_subcommand(
      "compile-checks", "Compiles CHECKS. If the compiler refuses them, keeps its messages for `check`, which fails.");
  compile_checks->add_option("command", compiler, "the compiler and its arguments")->type_name(file_type)->required();

  read_options read;
  CLI::App* const reading = app.add_subcommand(
      "read", "Lists the kernels of a build from its output. The build has to call nvcc with -Xptxas -v.");
  reading->add_option("log", read.logs, "files with the output of the build; - is standard input")
      ->type_name(file_type)
      ->required();
  CLI::Option* const json = reading->add_flag("--json", read.json, "write JSON");
  reading->add_flag("--csv", read.csv, "write comma-separated values")->excludes(json);
  reading->add_flag("--largest", read.largest,
                    "if a kernel occurs several times, take the largest of each number; otherwise that is an error");
  reading->callback([&] { status = print_kernels(read); });

  CLI::App* const writing_header =
      app.add_subcommand("header", "Writes the numbers of a target's kernels as C++ constants.");
  std::string header_request;
  std::string header_stamp;
  writing_header->add_option("request", header_request, request_words)->type_name(file_type)->required();
  writing_header->add_option("stamp", header_stamp, stamp_words)->type_name(file_type);
  writing_header->callback([&] { status = write_measured_header(header_request, header_stamp); });
  CLI::App* const checking_targets = app.add_subcommand(
      "check",
      "Checks measured targets: their CHECKS and their locks. Writes their reports. Exits with 1 if one is broken.");
  std::vector<std::string> requests;
  checking_targets->add_option("request", requests, request_words)->type_name(file_type)->required();
  checking_targets->callback([&] { status = check_targets(requests); });

  CLI::App* const lock =
      app.add_subcommand("lock", "Compares the kernels of a build with the lock, which is a file, or records it.");
  lock->require_subcommand(1);
  lock_command check;
  CLI::App* const checking = check.add_to(
      *lock, "check", "Compares a build with the lock. Exits with 1 if a kernel got worse.", check_lock, status);
  checking->add_flag("--strict", check.options.strict, "every difference fails, unless the lock allows it");
  lock_command update;
  update.add_to(*lock, "update", "Writes the lock. Refuses to mix compilers or flags.", update_lock, status);
  lock_command record_anew;
  record_anew.add_to(*lock, "record-anew", "Replaces all lines of the lock, for another compiler or other flags.",
                     record_lock_anew, status);
  CLI::App* const verify =
      lock->add_subcommand("verify", "Checks locks without a build: their format, digest, exceptions and dates.");
  std::vector<std::string> locks;
  verify->add_option("lock", locks, "the locks")->type_name(file_type)->required();
  verify->callback([&] { status = verify_locks(locks); });

  diff_options diff;
  CLI::App* const comparing = app.add_subcommand(
      "diff", "Compares two builds: which kernels got worse. Exits with 1 if one did in a way that matters.");
  std::string const sides = "a lock, the output of a build (- is standard input), an object, or a folder with objects";
  comparing->add_option("old", diff.old_source, sides)->type_name(path_type)->required();
  comparing->add_option("new", diff.new_source, sides)->type_name(path_type)->required();
  add_source_options(*comparing, diff.source);
  struct {
    char const* flag;
    diff_format format;
    char const* description;
  } const formats[] = {{"--markdown", diff_format::markdown, "for a pull request: below 60,000 characters"},
                       {"--json", diff_format::json, "all numbers of all differences"},
                       {"--sarif", diff_format::sarif, "for a tool that shows annotations"},
                       {"--html", diff_format::html, "a page with all kernels"}};
  CLI::Option_group* const format = comparing->add_option_group("format");
  format->require_option(0, 1);
  for (auto const& each : formats) {
    format->add_flag_callback(
        each.flag, [&diff, &each] { diff.format = each.format; }, each.description);
  }
  comparing->callback([&] { status = print_diff(diff); });

  add_query_commands(app, status);
  add_docs_commands(app, version);

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
