// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a kernel's mangled name says: `_ZN3app2tkILi3EfEEvPT0_` is `app::tk<3, float>(float*)`, the instance
/// `of_3_float` of the kernel template `app::tk`.

#pragma once

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>
#include <warpguard/measured/measurement.hpp>

#include "text.hpp"

namespace measure {

struct kernel_name {
  std::string text;               // app::tk<3, float>(float*)
  std::vector<std::string> path;  // {"app", "tk"}; empty if no C++ type can have this name
  bool is_template = false;
  std::string arguments;  // of the template, or after the name: 3, float
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

/// Template arguments as one identifier: `3, float` is of_3_float. Different arguments may have the same identifier.
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

/// Whether an operator is among template arguments, such as in `&S::operator<`. No identifier can spell it.
inline bool has_operator(std::string const& arguments) {
  std::string const word = "operator";
  for (std::size_t at = arguments.find(word); at != std::string::npos; at = arguments.find(word, at + 1)) {
    std::size_t const end = at + word.size();
    bool const is_part = (at > 0 && (is_letter(arguments[at - 1]) || is_digit(arguments[at - 1]))) ||
                         (end < arguments.size() && (is_letter(arguments[end]) || is_digit(arguments[end])));
    if (!is_part) return true;
  }
  return false;
}

inline bool is_anonymous_namespace(std::string const& part) {
  return begins(part, "_INTERNAL_") || begins(part, "_GLOBAL__N_");
}

/// Reads `3app` in a mangled name, from position `at` on, which it moves behind it.
inline bool read_source_name(std::string const& symbol, std::size_t& at, std::string& name) {
  std::size_t const begin = at;
  std::size_t length = 0;
  while (at < symbol.size() && is_digit(symbol[at]) && at - begin < 6)
    length = length * 10 + static_cast<std::size_t>(symbol[at++] - '0');
  if (length == 0 || length > symbol.size() - at) return false;
  name = symbol.substr(at, length);
  at += length;
  return true;
}

/// Reads the namespaces and the name with which a mangled name begins. A kernel is never a member of a class.
inline bool read_path(std::string const& symbol, kernel_name& kernel) {
  bool const is_nested = begins(symbol, "_ZN");
  std::size_t at = is_nested ? 3 : 2;
  for (bool is_in_std = true; is_in_std || is_nested;) {
    is_in_std = symbol.compare(at, 2, "St") == 0;
    std::string part = "std";
    if (is_in_std) {
      at += 2;
    } else {
      if (at < symbol.size() && symbol[at] == 'L') ++at;  // internal linkage
      if (!read_source_name(symbol, at, part)) break;
      for (std::string tag; at < symbol.size() && symbol[at] == 'B' && read_source_name(symbol, ++at, tag);) continue;
    }
    if (!is_anonymous_namespace(part) && !is_build_namespace(part)) kernel.path.push_back(part);
  }
  kernel.is_template = at < symbol.size() && symbol[at] == 'I';
  return !kernel.path.empty() && std::all_of(kernel.path.begin(), kernel.path.end(), is_identifier);
}

/// Finds the template arguments of `name` in a demangled name, and where the name begins, after the type that the
/// kernel returns. Returns false if the brackets do not show it.
inline bool find_arguments(std::string const& text, std::string const& name, std::size_t& begin,
                           std::string& arguments) {
  std::string const start = name + "<";
  std::string open;             // the brackets that are open
  std::size_t first = 0;        // where the arguments begin; 0: not found yet
  std::size_t after_space = 0;  // where the name begins
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if (open.empty() && first == 0) {
      if (c == ' ') after_space = i + 1;
      bool const is_word = i > 0 && (is_letter(text[i - 1]) || is_digit(text[i - 1]));
      if (!is_word && text.compare(i, start.size(), start) == 0) {
        first = i + start.size();
        i = first - 1;
        open = "<";
        continue;
      }
    }
    if (c == '<' || c == '(' || c == '[' || c == '{') open += c;
    if (c == '>' && !open.empty() && open.back() == '<' && text[i - 1] != '-') open.pop_back();
    if (c == ')' || c == ']' || c == '}') {
      char const opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      while (!open.empty() && open.back() != opening) open.pop_back();  // a `<` that is no bracket
      if (!open.empty()) open.pop_back();
    }
    if (first != 0 && open.empty()) {
      arguments = text.substr(first, i - first);
      begin = after_space;
      return true;
    }
  }
  return false;
}

/// A name as one line of text in the lock, where a line that begins with # is a comment.
inline std::string as_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  }
  return begins(text, "#") ? "::" + text : text;
}

/// The symbol without what changes with the path of the file, the version of a library and the GPUs of the build.
inline std::string stable_symbol(std::string const& symbol) {
  std::string const plain = without_unit(symbol);
  std::string result;
  for (std::size_t at = 0; at < plain.size();) {
    std::size_t end = at;
    std::string name;
    if (is_digit(plain[at]) && read_source_name(plain, end, name) && is_anonymous_namespace(name)) {
      result += "12_GLOBAL__N_1";
      at = end;
    } else if (!name.empty() && is_build_namespace(name)) {
      at = end;
    } else {
      do result += plain[at++];
      while (at < plain.size() && is_digit(plain[at - 1]) && is_digit(plain[at]));
    }
  }
  return result;
}

/// The text includes the parameters, because kernels may be overloaded, and neither the source nor what says only how a
/// library was built. libstdc++ demangles no symbol of more than about 1,000 characters; the symbol is then in the
/// text.
inline kernel_name name_of(std::string const& symbol) {
  kernel_name kernel;
  std::string const plain = without_unit(symbol);
  if (!begins(plain, "_Z")) {
    kernel.text = as_line(plain);
    if (is_identifier(plain)) kernel.path = {plain};
    return kernel;
  }
  bool const has_path = read_path(plain, kernel);
  std::string const path = join_path(kernel.path);
  if (!has_path) kernel.path.clear();
  kernel.text = as_line(without_build_namespaces(demangle(plain)));
  if (kernel.text.empty()) {
    kernel.arguments = as_line(stable_symbol(symbol));
    kernel.text = has_path ? path + " [" + kernel.arguments + "]" : kernel.arguments;
    return kernel;
  }
  std::size_t begin = begins(kernel.text, "void ") ? 5 : 0;
  if (has_path) {
    std::string const& name = kernel.path.back();
    if (!kernel.is_template || !find_arguments(kernel.text, name, begin, kernel.arguments)) {
      kernel.arguments = kernel.text.substr(std::min(kernel.text.size(), kernel.text.find(name, begin) + name.size()));
    }
  }
  kernel.text = as_line(kernel.text.substr(begin));
  return kernel;
}

/// Whether a kernel is internal to its source, or has a type that is: each source may have its own kernel of this name.
/// Without -rdc=true the symbol of a static kernel does not show it.
inline bool is_known_as_internal(std::string const& symbol, kernel_name const& name) {
  return begins(symbol, "__nv_static_") || has(name.text, "(anonymous namespace)") || has(symbol, "_GLOBAL__N_");
}

/// Adds the symbols to a name that several kernels have: `same<int>(int*) [_ZN3app4sameIiEEvPi]`. Symbols that differ
/// only in how a library was built are one kernel, unless one object has both.
template <class Kernel, class ObjectOf>
void make_distinct(std::vector<Kernel*> const& same_name, ObjectOf object_of) {
  Kernel const& first = *same_name.front();
  if (std::all_of(same_name.begin(), same_name.end(), [&](Kernel* each) { return each->symbol == first.symbol; })) {
    return;
  }
  std::set<std::string> stable;
  std::map<std::tuple<std::string, int, std::string>, std::string> in_object;  // by object, architecture, stable symbol
  bool is_in_one_object = false;
  for (Kernel const* each : same_name) {
    std::string const symbol = stable_symbol(each->symbol);
    stable.insert(symbol);
    auto const other = in_object.insert({{object_of(*each), each->compute_capability, symbol}, each->symbol}).first;
    is_in_one_object = is_in_one_object || other->second != each->symbol;
  }
  if (stable.size() == 1 && !is_in_one_object) return;
  for (Kernel* each : same_name) {
    each->name += " [" + (is_in_one_object ? without_unit(each->symbol) : stable_symbol(each->symbol)) + "]";
  }
}

// ---- long names -----------------------------------------------------------------------------------------------------

constexpr std::size_t longest_name = 200;         // longer names are shortened
constexpr std::size_t shortened_beginning = 160;  // what is kept of them

/// 16 hexadecimal digits.
inline std::string hash_of(std::string const& text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", warpguard::hash_of_name(text.c_str()));
  return digits;
}

/// A long name is shown as its beginning, `...`, the hash of the whole name, and what it ends with: ` [a.cu]`.
inline std::string shortened(std::string const& name, std::string const& source = "") {
  if (name.size() <= longest_name) return name;
  std::size_t end = shortened_beginning;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0) == 0x80) --end;  // within a letter of UTF-8
  return name.substr(0, end) + "..." + hash_of(name) + source;
}

}  // namespace measure
