// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "command_line_docs.hpp"

#include <string>
#include <vector>

#include "text.hpp"

namespace measure {

namespace {

/// A command and the words that call it: `warpguard lock check`.
struct command {
  std::string path;
  CLI::App const* app;

  std::vector<CLI::App const*> subcommands() const {
    return app->get_subcommands([](CLI::App const* each) { return !each->get_name().empty(); });
  }
  /// Groups of options, which CLI11 keeps as subcommands without a name.
  std::vector<CLI::App const*> option_groups() const {
    return app->get_subcommands([](CLI::App const* each) { return each->get_name().empty(); });
  }
};

void add_commands(std::string const& path, CLI::App const& app, std::vector<command>& all) {
  all.push_back({path, &app});
  for (CLI::App const* each : command{all.back()}.subcommands())
    add_commands(path + " " + each->get_name(), *each, all);
}

/// The program and all commands of it, each before its subcommands.
std::vector<command> commands_of(CLI::App const& program) {
  std::vector<command> all;
  add_commands(program.get_name(), program, all);
  return all;
}

bool is_positional(CLI::Option const& option) { return !option.nonpositional(); }
bool takes_value(CLI::Option const& option) { return option.get_items_expected_max() > 0; }
bool is_list(CLI::Option const& option) { return option.get_items_expected_max() > 1; }
bool takes_files(CLI::Option const& option) {
  return takes_value(option) && (option.get_type_name() == file_type || option.get_type_name() == path_type);
}

/// The options of a command, or its arguments without a name.
std::vector<CLI::Option const*> options_of(command const& which, bool positional) {
  auto const is_wanted = [&](CLI::Option const* each) { return is_positional(*each) == positional; };
  std::vector<CLI::Option const*> options = which.app->get_options(is_wanted);
  for (CLI::App const* group : which.option_groups()) {
    for (CLI::Option const* each : group->get_options(is_wanted)) {
      if (each != group->get_help_ptr()) options.push_back(each);
    }
  }
  return options;
}

bool expects_files(command const& which) {
  for (CLI::Option const* each : options_of(which, true)) {
    if (takes_files(*each)) return true;
  }
  return false;
}

/// -h and --help
std::vector<std::string> names_of(CLI::Option const& option) {
  std::vector<std::string> names;
  for (std::string const& name : option.get_snames()) names.push_back("-" + name);
  for (std::string const& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// The names of those options for which `choose` holds.
template <class Choose>
std::vector<std::string> option_names(command const& which, Choose choose) {
  std::vector<std::string> names;
  for (CLI::Option const* each : options_of(which, false)) {
    if (!choose(*each)) continue;
    for (std::string const& name : names_of(*each)) names.push_back(name);
  }
  return names;
}

bool is_any(CLI::Option const&) { return true; }
bool takes_other_value(CLI::Option const& option) { return takes_value(option) && !takes_files(option); }

/// Text in single quotation marks, as bash and zsh read it.
std::string in_quotes(std::string const& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string in_fish_quotes(std::string const& text) {
  std::string result = "'";
  for (char c : text) result += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
  return result + "'";
}

std::string joined(std::vector<std::string> const& items, std::string const& separator) {
  std::string list;
  for (std::string const& item : items) append(list, separator, item);
  return list;
}

/// Each path of a command that has another before it, quoted.
std::string quoted_paths(CLI::App const& program, std::string const& separator) {
  std::vector<std::string> paths;
  for (command const& each : commands_of(program)) {
    if (each.app != &program) paths.push_back(in_quotes(each.path));
  }
  return joined(paths, separator);
}

/// What bash and zsh do first: find the command among the words before the one that is completed.
std::string find_command(CLI::App const& program, std::string const& loop, std::string const& word) {
  return loop + "    case \"$command " + word +
         "\" in\n"
         "      " +
         quoted_paths(program, " | \\\n      ") +
         ")\n"
         "        command=\"$command " +
         word +
         "\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command in\n";
}

}  // namespace

// ---- shells ---------------------------------------------------------------------------------------------------------

std::string write_bash_completion(CLI::App const& program) {
  std::string text =
      "# Completion of warpguard for bash, written by `warpguard completion bash`.\n"
      "_warpguard() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} command=warpguard commands= options= values= files= i\n";
  text += find_command(program, "  for ((i = 1; i < COMP_CWORD; ++i)); do\n", "${COMP_WORDS[i]}");
  for (command const& each : commands_of(program)) {
    std::vector<std::string> subcommands;
    for (CLI::App const* sub : each.subcommands()) subcommands.push_back(sub->get_name());
    text += "    " + in_quotes(each.path) + ")\n";
    text += "      commands=" + in_quotes(joined(subcommands, " ")) + "\n";
    text += "      options=" + in_quotes(joined(option_names(each, is_any), " ")) + "\n";
    text += "      values=" + in_quotes(joined(option_names(each, takes_other_value), " ")) + "\n";
    text += std::string("      files=") + (expects_files(each) ? "yes" : "") + " ;;\n";
  }
  return text +
         "  esac\n"
         "  COMPREPLY=()\n"
         "  case \" $values \" in *\" ${COMP_WORDS[COMP_CWORD - 1]} \"*) return ;; esac\n"
         "  case $word in\n"
         "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;\n"
         "    *)\n"
         "      if [ -n \"$commands\" ]; then mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$word\"); fi\n"
         "      if [ -n \"$files\" ]; then mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); fi ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _warpguard warpguard\n";
}

std::string write_zsh_completion(CLI::App const& program) {
  auto const item = [](std::string const& name, std::string const& description) {
    std::string escaped;
    for (char c : name + ":" + description) {
      if ((c == ':' && escaped.size() != name.size()) || c == '\\') escaped += '\\';
      escaped += c;
    }
    return in_quotes(escaped);
  };
  std::string text =
      "#compdef warpguard\n"
      "# Completion of warpguard for zsh, written by `warpguard completion zsh`.\n"
      "_warpguard() {\n"
      "  local command=warpguard values= files= i\n"
      "  local -a commands options\n";
  text += find_command(program, "  for ((i = 2; i < CURRENT; ++i)); do\n", "${words[i]}");
  for (command const& each : commands_of(program)) {
    std::vector<std::string> subcommands;
    std::vector<std::string> options;
    for (CLI::App const* sub : each.subcommands()) subcommands.push_back(item(sub->get_name(), sub->get_description()));
    for (CLI::Option const* option : options_of(each, false)) {
      for (std::string const& name : names_of(*option)) options.push_back(item(name, option->get_description()));
    }
    text += "    " + in_quotes(each.path) + ")\n";
    text += "      commands=(" + joined(subcommands, "\n        ") + ")\n";
    text += "      options=(" + joined(options, "\n        ") + ")\n";
    text += "      values=" + in_quotes(joined(option_names(each, takes_other_value), " ")) + "\n";
    text += std::string("      files=") + (expects_files(each) ? "yes" : "") + " ;;\n";
  }
  return text +
         "  esac\n"
         "  [[ \" $values \" == *\" ${words[CURRENT - 1]} \"* ]] && return\n"
         "  if [[ ${words[CURRENT]} == -* ]]; then\n"
         "    _describe -o option options\n"
         "    return\n"
         "  fi\n"
         "  (( ${#commands} )) && _describe command commands\n"
         "  [[ -n $files ]] && _files\n"
         "}\n"
         "_warpguard \"$@\"\n";
}

std::string write_fish_completion(CLI::App const& program) {
  std::string text =
      "# Completion of warpguard for fish, written by `warpguard completion fish`.\n"
      "function __warpguard_is\n"
      "  set -l command warpguard\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    switch \"$command $word\"\n"
      "      case " +
      quoted_paths(program, " \\\n        ") +
      "\n"
      "        set command \"$command $word\"\n"
      "    end\n"
      "  end\n"
      "  test \"$command\" = \"$argv\"\n"
      "end\n"
      "complete -c warpguard -f\n";
  for (command const& each : commands_of(program)) {
    std::string const begin = "complete -c warpguard -n " + in_fish_quotes("__warpguard_is " + each.path);
    for (CLI::App const* sub : each.subcommands()) {
      text += begin + " -a " + sub->get_name() + " -d " + in_fish_quotes(sub->get_description()) + "\n";
    }
    for (CLI::Option const* option : options_of(each, false)) {
      text += begin;
      for (std::string const& name : option->get_snames()) text += " -s " + name;
      for (std::string const& name : option->get_lnames()) text += " -l " + name;
      if (takes_value(*option)) text += takes_files(*option) ? " -r -F" : " -x";
      text += " -d " + in_fish_quotes(option->get_description()) + "\n";
    }
    if (expects_files(each)) text += begin + " -F\n";
  }
  return text;
}

// ---- the manual page ------------------------------------------------------------------------------------------------

namespace {

/// Text that roff prints as it is.
std::string in_roff(std::string const& text) {
  std::string result = begins(text, ".") || begins(text, "'") ? "\\&" : "";
  for (char c : text) result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result;
}

std::string bold(std::string const& text) { return "\\fB" + in_roff(text) + "\\fR"; }
std::string italic(std::string const& text) { return "\\fI" + in_roff(text) + "\\fR"; }

/// --from PATH...
std::string usage_of(CLI::Option const& option) {
  if (is_positional(option)) return italic(option.get_name(true)) + (is_list(option) ? " ..." : "");
  std::vector<std::string> names;
  for (std::string const& name : names_of(option)) names.push_back(bold(name));
  std::string const value = takes_value(option) ? " " + italic(option.get_type_name()) : "";
  return joined(names, ", ") + value + (is_list(option) ? " ..." : "");
}

/// warpguard lock check lock --from PATH... [--strict]
std::string usage_of(command const& which) {
  std::string usage = bold(which.path);
  for (bool positional : {true, false}) {
    for (CLI::Option const* each : options_of(which, positional)) {
      if (each == which.app->get_help_ptr()) continue;
      usage += each->get_required() ? " " + usage_of(*each) : " [" + usage_of(*each) + "]";
    }
  }
  return usage;
}

}  // namespace

std::string write_manual_page(CLI::App const& program, std::string const& version) {
  std::string text =
      ".\\\" Written by `warpguard man`.\n"
      ".TH WARPGUARD 1 \"\" \"" +
      in_roff(version) +
      "\" \"User Commands\"\n"
      ".SH NAME\n"
      "warpguard \\- " +
      in_roff(program.get_description()) +
      "\n"
      ".SH SYNOPSIS\n" +
      bold("warpguard") + " " + italic("command") + " " + italic("argument") +
      " ...\n"
      ".SH COMMANDS\n";
  for (command const& each : commands_of(program)) {
    bool const only_groups = each.app != &program && !each.subcommands().empty();
    if (each.app == &program) continue;
    text += ".SS " + in_roff(each.path) + "\n" + in_roff(each.app->get_description()) + "\n";
    if (only_groups) continue;
    text += ".PP\n" + usage_of(each) + "\n";
    for (bool positional : {true, false}) {
      for (CLI::Option const* option : options_of(each, positional)) {
        text += ".TP\n" + usage_of(*option) + "\n" + in_roff(option->get_description()) + "\n";
      }
    }
  }
  text += ".SH OPTIONS\n";
  for (CLI::Option const* option : options_of({program.get_name(), &program}, false)) {
    text += ".TP\n" + usage_of(*option) + "\n" + in_roff(option->get_description()) + "\n";
  }
  return text + ".SH EXIT STATUS\n" + in_roff(program.get_footer()) + "\n";
}

}  // namespace measure
