// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds the line on which a kernel is defined. Without -lineinfo an object does not say it, so the sources are
/// searched: for the text `__global__`, and after it the kernel's name, a parameter list and a body. If a macro stands
/// for `__global__`, as in CUB, the line is unknown.

#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "measured_build.hpp"
#include "names.hpp"
#include "request.hpp"
#include "text.hpp"

namespace measure {

struct kernel_place {
  std::string file;
  int line = 0;  // of the kernel's name; 0: unknown
};

namespace detail {

/// A definition of a kernel in a source, or a macro in front of one.
struct kernel_definition {
  std::string name;
  std::string scope;  // app::detail; without unnamed namespaces
  std::string parameters;
  int line = 0;
};

// ---- reading a source -----------------------------------------------------------------------------------------------

inline bool is_word_char(char c) { return is_letter(c) || is_digit(c); }

/// Overwrites comments, strings, characters and lines of the preprocessor with spaces. Line ends stay.
inline std::string only_code(std::string const& text) {
  std::string code = text;
  auto const blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    return std::min(end, code.size());
  };
  auto const after = [&](std::string const& what, std::size_t from) {
    std::size_t const at = text.find(what, from);
    return at == std::string::npos ? text.size() : at + what.size();
  };
  bool begins_line = true;
  for (std::size_t i = 0; i < text.size();) {
    char const c = text[i];
    bool const after_word = i > 0 && is_word_char(text[i - 1]);
    if (c == '/' && text.compare(i, 2, "//") == 0) {
      i = blank(i, after("\n", i) - 1);
    } else if (c == '/' && text.compare(i, 2, "/*") == 0) {
      i = blank(i, after("*/", i + 2));
    } else if (c == '#' && begins_line) {
      std::size_t end = after("\n", i);
      while (end < text.size() && end >= 2 && text[end - 2] == '\\') end = after("\n", end);
      i = blank(i, end);
    } else if (c == '"' && after_word && text[i - 1] == 'R') {
      std::size_t const open = text.find('(', i);
      if (open == std::string::npos) return code;
      i = blank(i, after(")" + text.substr(i + 1, open - i - 1) + "\"", open));
    } else if (c == '"' || (c == '\'' && !after_word)) {  // 1'000 is a number
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      i = blank(i, end + 1);
    } else {
      if (c == '\n') begins_line = true;
      if (c != '\n' && c != ' ' && c != '\t' && c != '\r') begins_line = false;
      ++i;
      continue;
    }
    begins_line = i > 0 && i <= text.size() && text[i - 1] == '\n';
  }
  return code;
}

/// Returns the place after the bracket that closes the one at `at`, or that of the end.
inline std::size_t after_bracket(std::string const& code, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < code.size(); ++at) {
    if (code[at] == open) ++depth;
    if (code[at] == close && --depth == 0) return at + 1;
  }
  return at;
}

/// Reads what follows `__global__` up to the kernel's body. Returns each word that a list in parentheses follows: the
/// kernel's name and its parameters, and macros such as launch bounds. Returns none if no body follows.
inline std::vector<kernel_definition> read_definition(std::string const& code, std::size_t at, int line) {
  std::vector<kernel_definition> found;
  kernel_definition word;
  while (at < code.size()) {
    char const c = code[at];
    if (c == '{') return found;
    if (c == ';' || c == '}' || c == '=') return {};
    std::size_t end = at + 1;
    if (is_word_char(c)) {
      while (end < code.size() && is_word_char(code[end])) ++end;
      word.name = code.substr(at, end - at);
      word.line = line;
    } else if (c == '<') {  // the arguments of a specialisation stand between its name and its parameters
      end = after_bracket(code, at, '<', '>');
    } else if (c == '(') {
      end = after_bracket(code, at, '(', ')');
      word.parameters = code.substr(at + 1, end - at - 2);
      if (!word.name.empty()) found.push_back(word);
      word = {};
    }
    line += static_cast<int>(std::count(code.begin() + static_cast<std::ptrdiff_t>(at),
                                        code.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at = end;
  }
  return {};
}

/// Returns the name in `namespace a::b {`; empty for any other bracket.
inline std::string namespace_before(std::string const& code, std::size_t bracket) {
  std::size_t begin = bracket;
  while (begin > 0 && code[begin - 1] != ';' && code[begin - 1] != '{' && code[begin - 1] != '}') --begin;
  std::size_t const at = code.find("namespace", begin);
  if (at >= bracket) return "";
  std::string name;
  for (char c : code.substr(at + 9, bracket - at - 9)) {
    if (is_word_char(c) || c == ':') name += c;
  }
  return name;
}

/// Returns the kernels that a source defines.
inline std::vector<kernel_definition> definitions_in(std::string const& text) {
  static std::string const mark = "__global__";
  std::vector<kernel_definition> found;
  if (!has(text, mark)) return found;
  std::string const code = only_code(text);
  std::vector<std::string> scopes;  // one for each open bracket
  int line = 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '\n') ++line;
    if (code[i] == '{') scopes.push_back(namespace_before(code, i));
    if (code[i] == '}' && !scopes.empty()) scopes.pop_back();
    if (code.compare(i, mark.size(), mark) != 0) continue;
    i += mark.size() - 1;
    std::string scope;
    for (std::string const& each : scopes) {
      if (!each.empty()) append(scope, "::", each);
    }
    for (kernel_definition kernel : read_definition(code, i + 1, line)) {
      kernel.scope = scope;
      found.push_back(kernel);
    }
  }
  return found;
}

// ---- choosing a definition ------------------------------------------------------------------------------------------

/// The number of parameters in a list, without commas inside of brackets.
inline int count_parameters(std::string const& list) {
  int depth = 0;
  int count = 0;
  bool is_empty = true;
  for (char c : list) {
    if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) ++count;
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') is_empty = false;
  }
  return is_empty ? 0 : count + 1;
}

inline std::set<std::string> words_of(std::string const& text) {
  std::set<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (is_word_char(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

/// What a symbol says about its definition.
inline kernel_definition wanted_definition(std::string const& symbol) {
  kernel_definition wanted;
  std::string text = without_build_namespaces(demangle(without_unit(symbol)));
  if (begins(text, "void ")) text = text.substr(5);
  std::vector<std::string> parts;
  std::string arguments;
  if (!split_demangled(text, parts, arguments)) return wanted;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (!parts[i].empty() && !is_anonymous_namespace(parts[i])) append(wanted.scope, "::", parts[i]);
  }
  wanted.name = parts.back();
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0 && text.back() == ')';) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) {
      wanted.parameters = text.substr(i + 1, text.size() - i - 2);
      break;
    }
  }
  return wanted;
}

/// Keeps the candidates for which `fits` is true, or all of them if it is true for none.
template <class Fits>
bool keep_fitting(std::vector<kernel_definition>& candidates, Fits fits) {
  std::vector<kernel_definition> fitting;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(fitting), fits);
  if (!fitting.empty()) candidates = fitting;
  return !fitting.empty();
}

/// Returns the line of the kernel's definition; 0 if there is none, or several of which none fits. Of several that fit,
/// the one whose parameters have the most words in common.
inline int line_in(std::vector<kernel_definition> const& definitions, kernel_definition const& wanted) {
  std::vector<kernel_definition> candidates;
  for (kernel_definition const& each : definitions) {
    if (each.name == wanted.name) candidates.push_back(each);
  }
  if (candidates.empty()) return 0;
  if (candidates.size() == 1) return candidates.front().line;
  bool const scope_fits = keep_fitting(candidates, [&](auto const& each) { return each.scope == wanted.scope; });
  bool const count_fits = keep_fitting(candidates, [&](auto const& each) {
    return count_parameters(each.parameters) == count_parameters(wanted.parameters);
  });
  if (!scope_fits && !count_fits) return 0;
  std::set<std::string> const words = words_of(wanted.parameters);
  auto const in_common = [&](kernel_definition const& each) {
    std::set<std::string> const own = words_of(each.parameters);
    return std::count_if(own.begin(), own.end(), [&](std::string const& word) { return words.count(word) != 0; });
  };
  return std::max_element(candidates.begin(), candidates.end(),
                          [&](auto const& a, auto const& b) { return in_common(a) < in_common(b); })
      ->line;
}

// ---- files ----------------------------------------------------------------------------------------------------------

/// The files in a depfile, after its target. An escaped space belongs to a name.
inline std::vector<std::string> files_in_depfile(std::string const& text) {
  std::vector<std::string> files;
  std::size_t const colon = text.find(": ");
  if (colon == std::string::npos) return files;
  std::string name;
  for (std::size_t i = colon + 1; i < text.size(); ++i) {
    char const c = text[i];
    char const next = i + 1 < text.size() ? text[i + 1] : '\n';
    if (c == '\\' && (next == ' ' || next == '#')) {
      name += next;
      ++i;
    } else if (c == '$' && next == '$') {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\r' || (c == '\\' && (next == '\n' || next == '\r'))) {
      if (!name.empty()) files.push_back(name);
      name.clear();
    } else {
      name += c;
    }
  }
  if (!name.empty()) files.push_back(name);
  return files;
}

/// The files that a source includes in quotation marks, relative to its own folder.
inline std::vector<std::string> quoted_includes(std::string const& path) {
  std::vector<std::string> files;
  std::string text;
  read_file(path, text);
  std::string const folder = path.substr(0, path.rfind('/') + 1);
  for (std::string const& line : lines_of(text)) {
    std::size_t const hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#' || !has(line, "include")) continue;
    std::size_t const open = line.find('"');
    std::size_t const close = line.find('"', open + 1);
    if (close != std::string::npos) files.push_back(folder + line.substr(open + 1, close - open - 1));
  }
  return files;
}

/// The files that an object was compiled from, the source first. Without a depfile, those that are included in
/// quotation marks.
inline std::vector<std::string> files_of(object_facts const& object) {
  std::vector<std::string> files;
  std::set<std::string> seen;
  auto const add = [&](std::string const& file) {
    std::string const path = std::filesystem::path(file).lexically_normal().string();
    if (seen.insert(path).second) files.push_back(path);
  };
  if (!object.source.empty()) add(object.source);
  std::string depfile;
  if (read_file(object.path + ".d", depfile)) {
    for (std::string const& file : files_in_depfile(depfile)) add(file);
    return files;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::string const& file : quoted_includes(files[i])) add(file);
  }
  return files;
}

}  // namespace detail

/// Returns where the kernels of a build are defined, by row::key. Paths in the project's folder are relative to it.
inline std::map<std::string, kernel_place> places_of_kernels(measure_request const& request,
                                                             measured_build const& build) {
  std::map<std::string, kernel_place> places;
  std::map<std::string, std::vector<std::string>> files;  // by object
  for (object_facts const& object : build.objects) files[object.path] = detail::files_of(object);
  std::map<std::string, std::vector<detail::kernel_definition>> definitions;  // by file
  for (row const& kernel : build.ptxas.rows) {
    auto const [found, is_new] = places.insert({kernel.key, {}});
    if (!is_new) continue;
    detail::kernel_definition const wanted = detail::wanted_definition(kernel.symbol);
    for (std::string const& file : files[kernel.object]) {
      auto const [source, is_unread] = definitions.insert({file, {}});
      std::string text;
      if (is_unread && read_file(file, text)) source->second = detail::definitions_in(text);
      found->second.line = detail::line_in(source->second, wanted);
      if (found->second.line == 0) continue;
      found->second.file = request.within_root(file);
      break;
    }
  }
  return places;
}

}  // namespace measure
