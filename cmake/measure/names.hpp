// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A kernel's mangled name as the name of a type: `_ZN3app2tkILi3EfEEvPT0_` is instance `of_3_float` of `app::tk`.

#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "text.hpp"

namespace measure {

struct kernel_name {
  std::vector<std::string> path;  // {"app", "tk"}; empty where it cannot be mapped
  std::string instance;           // of_3_float; empty where the kernel is no template
};

inline std::string spelled_of(std::vector<std::string> const& path) {
  std::string all;
  for (std::string const& part : path) all += (all.empty() ? "" : "::") + part;
  return all;
}

inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128;
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether C++20 lets a type or a namespace have this name, and a measured kernel has no member of it.
inline bool is_identifier(std::string const& name) {
  if (name.empty() || !is_letter(name[0])) return false;
  for (char c : name) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  for (char const* word :
       {"alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
        "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
        "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do",
        "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend",
        "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
        "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires",
        "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template",
        "this", "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
        "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
        // members of every measured kernel
        "name", "instances", "measurements", "measurement_count", "architectures", "architecture_count"}) {
    if (name == word) return false;
  }
  return true;
}

/// Under -rdc=true what is static is called __nv_static_<length>_<unit>_<its name>; the unit's name changes with the
/// file's path.
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

/// What is between < and > as one identifier: `3, float` is 3_float.
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

inline kernel_name name_of(std::string const& full_symbol) {
  kernel_name name;
  std::string const symbol = without_unit(full_symbol);
  std::string text = demangle(symbol);
  if (text.empty()) return name;
  if (begins(text, "void ")) text = text.substr(5);

  int depth = 0;
  std::size_t begin = 0;
  std::string arguments;
  bool good = true;
  std::size_t i = 0;
  auto const end_part = [&](std::size_t end) {
    std::string part = text.substr(begin, end - begin);
    std::size_t const angle = part.find('<');
    if (angle != std::string::npos) part.resize(angle);
    std::size_t const tag = part.find("[abi:");
    if (tag != std::string::npos) part.resize(tag);
    if (part == "(anonymous namespace)" || begins(part, "_INTERNAL_") || begins(part, "_GLOBAL__N_")) return;
    good = good && is_identifier(part);
    name.path.push_back(part);
  };
  for (; i < text.size(); ++i) {
    char const c = text[i];
    if (depth == 0 && c == '(' && text.compare(i, 21, "(anonymous namespace)") == 0) {
      i += 20;
    } else if (depth == 0 && c == '(') {
      break;
    } else if (c == '<' || c == '(' || c == '{' || c == '[') {
      if (depth == 0 && c == '<') arguments = text.substr(i + 1);
      ++depth;
    } else if (c == '>' && i > 0 && text[i - 1] == '-') {
      continue;
    } else if (c == '>' || c == ')' || c == '}' || c == ']') {
      --depth;
      if (depth == 0 && c == '>') arguments.resize(arguments.size() - (text.size() - i));
    } else if (depth == 0 && c == ':' && i + 1 < text.size() && text[i + 1] == ':') {
      end_part(i);
      begin = i + 2;
      ++i;
    }
  }
  end_part(i);
  if (!arguments.empty()) name.instance = as_identifier(arguments);
  if (!good || depth != 0) name.path.clear();
  return name;
}

}  // namespace measure
