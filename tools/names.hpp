// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Converts a kernel's mangled name to the name of a type: `_ZN3app2tkILi3EfEEvPT0_` is instance `of_3_float` of
/// `app::tk`.

#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "text.hpp"

namespace measure {

struct kernel_name {
  std::vector<std::string> path;  // {"app", "tk"}; empty if no C++ type can have this name
  std::string instance;           // of_3_float; empty if the kernel is not a template
};

inline std::string join_path(std::vector<std::string> const& path) {
  std::string all;
  for (std::string const& part : path) {
    if (!part.empty()) append(all, "::", part);
  }
  return all;
}

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128;
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a type or a namespace can have this name in C++20.
inline bool is_identifier(std::string const& name) {
  if (name.empty() || !is_letter(name[0])) return false;
  for (char c : name) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  for (char const* word :
       {"alignas",     "alignof",  "and",        "and_eq",    "asm",       "auto",         "bitand",
        "bitor",       "bool",     "break",      "case",      "catch",     "char",         "char16_t",
        "char32_t",    "char8_t",  "class",      "co_await",  "co_return", "co_yield",     "compl",
        "concept",     "const",    "const_cast", "consteval", "constexpr", "constinit",    "continue",
        "decltype",    "default",  "delete",     "do",        "double",    "dynamic_cast", "else",
        "enum",        "explicit", "export",     "extern",    "false",     "float",        "for",
        "friend",      "goto",     "if",         "inline",    "int",       "long",         "mutable",
        "namespace",   "new",      "noexcept",   "not",       "not_eq",    "nullptr",      "operator",
        "or",          "or_eq",    "private",    "protected", "public",    "register",     "reinterpret_cast",
        "requires",    "return",   "short",      "signed",    "sizeof",    "static",       "static_assert",
        "static_cast", "struct",   "switch",     "template",  "this",      "thread_local", "throw",
        "true",        "try",      "typedef",    "typeid",    "typename",  "union",        "unsigned",
        "using",       "virtual",  "void",       "volatile",  "wchar_t",   "while",        "xor",
        "xor_eq"}) {
    if (name == word) return false;
  }
  return true;
}

/// Under -rdc=true nvcc renames static functions to __nv_static_<length>_<unit>_<name>. This function removes <unit>,
/// because it changes with the path of the file.
inline std::string without_unit(std::string const& symbol) {
  char const* const prefix = "__nv_static_";
  if (!begins(symbol, prefix)) return symbol;
  std::size_t at = 12;
  std::size_t length = 0;
  while (at < symbol.size() && is_digit(symbol[at]))
    length = length * 10 + static_cast<std::size_t>(symbol[at++] - '0');
  at += 1 + length + 1;
  return at < symbol.size() ? symbol.substr(at) : symbol;
}

inline std::string demangle(std::string const& symbol) {
  if (!begins(symbol, "_Z")) return symbol;
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string const result = status == 0 && text != nullptr ? text : "";
  std::free(text);
  return result;
}

/// Whether a namespace names only the version and the GPUs that a library was built for: CUB_300001_SM_800_1200,
/// THRUST_300001_SM_800_1200_NS, CUB_200302_750_NS.
inline bool is_build_namespace(std::string const& name) {
  std::vector<std::string> const words = split(name, '_');
  int number = 0;
  if ((words[0] != "CUB" && words[0] != "THRUST") || words.size() < 2 || !read_number(words[1], number)) return false;
  return std::all_of(words.begin() + 2, words.end(), [&](std::string const& word) {
    return word == "SM" || word == "NS" || read_number(word, number);
  });
}

/// Removes the namespaces that change with the version of a library and with the GPUs of the build.
inline std::string without_build_namespaces(std::string const& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    if (end == i) end = i + 1;
    std::string const word = text.substr(i, end - i);
    bool const is_left_out = is_build_namespace(word) && text.compare(end, 2, "::") == 0;
    if (!is_left_out) result += word;
    i = is_left_out ? end + 2 : end;
  }
  return result;
}

/// Template arguments as one identifier: `3, float` is of_3_float.
inline std::string as_identifier(std::string const& text) {
  std::string name = "of";
  bool gap = true;
  for (char c : text) {
    bool const belongs = is_letter(c) || is_digit(c);
    if (c == '-') name += "_minus";
    if (c == '*') name += "_pointer";
    if (belongs && gap) name += '_';
    if (belongs) name += c;
    gap = !belongs;
  }
  return name;
}

/// Removes template arguments and ABI tags from a part of a name.
inline std::string plain_part(std::string part) {
  part.resize(std::min(part.size(), part.find('<')));
  part.resize(std::min(part.size(), part.find("[abi:")));
  return part;
}

inline bool is_anonymous_namespace(std::string const& part) {
  return part == "(anonymous namespace)" || begins(part, "_INTERNAL_") || begins(part, "_GLOBAL__N_");
}

/// Splits a demangled name at its outermost `::`, up to its parameters. Sets `arguments` to the template arguments of
/// the last part that has any. Returns false if brackets do not match.
inline bool split_demangled(std::string const& text, std::vector<std::string>& parts, std::string& arguments) {
  static std::string const anonymous = "(anonymous namespace)";
  int depth = 0;
  std::size_t begin = 0;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    char const c = text[i];
    if (depth == 0 && c == '(') {
      if (text.compare(i, anonymous.size(), anonymous) != 0) break;
      i += anonymous.size() - 1;
    } else if (c == '<' || c == '(' || c == '{' || c == '[') {
      if (depth == 0 && c == '<') arguments = text.substr(i + 1);
      ++depth;
    } else if (c == '>' && i > 0 && text[i - 1] == '-') {
      continue;  // the arrow of a member access
    } else if (c == '>' || c == ')' || c == '}' || c == ']') {
      --depth;
      if (depth == 0 && c == '>') arguments.resize(arguments.size() - (text.size() - i));
    } else if (depth == 0 && c == ':' && i + 1 < text.size() && text[i + 1] == ':') {
      parts.push_back(plain_part(text.substr(begin, i - begin)));
      begin = i + 2;
      ++i;
    }
  }
  parts.push_back(plain_part(text.substr(begin, i - begin)));
  return depth == 0;
}

inline kernel_name name_of(std::string const& symbol) {
  kernel_name name;
  std::string text = without_build_namespaces(demangle(without_unit(symbol)));
  if (text.empty()) return name;
  if (begins(text, "void ")) text = text.substr(5);
  std::vector<std::string> parts;
  std::string arguments;
  bool good = split_demangled(text, parts, arguments);
  for (std::string const& part : parts) {
    if (is_anonymous_namespace(part)) continue;
    good = good && is_identifier(part);
    name.path.push_back(part);
  }
  if (!arguments.empty()) name.instance = as_identifier(arguments);
  if (!good) name.path.clear();
  return name;
}

/// Returns a kernel's name without its source. It includes the parameters, because kernels may be overloaded.
inline std::string key_of(std::string const& symbol) {
  std::string const plain = without_unit(symbol);
  std::string text = without_build_namespaces(demangle(plain));
  if (text.empty()) return plain;
  if (begins(text, "void ")) text = text.substr(5);
  return text;
}

/// Whether a kernel is internal to its source, or has a type that is: each source may have its own kernel of this name.
/// Without -rdc=true the symbol of a static kernel does not show it.
inline bool is_known_as_internal(std::string const& symbol) {
  return begins(symbol, "__nv_static_") || has(key_of(symbol), "(anonymous namespace)");
}

}  // namespace measure
