// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads the output of `ptxas -v` and `nvlink -v`. Unknown lines are stored and counted. A damaged line may belong to
/// another kernel than it seems to, so it is an error and never a number.

#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "fields.hpp"
#include "text.hpp"

namespace measure {

/// One kernel in one object on one architecture. The spills of functions that it calls and that ptxas did not inline
/// count as its own.
struct row : amounts {
  std::string symbol;  // mangled
  std::string name;    // the whole name; set when the whole build was read
  std::string key;     // the name in the lock and the reports: `name`, shortened if it is long
  std::string object;
  int compute_capability = 0;
  int frame = 0;             // the part of the stack that the kernel itself uses
  int run = 0;               // which of the runs of ptxas in the text compiled it
  std::size_t line = 0;      // where it begins in the text
  std::string flags;         // the compiler arguments that affect ptxas; "-" if none
  int max_threads = 0;       // per block, from the kernel's own launch bounds; 0: it has none, or unknown
  bool is_internal = false;  // static or in an anonymous namespace, as far as the object says so
};

/// A function that spills and that ptxas reported separately from the kernels that call it.
struct function {
  std::string object;
  bool relocatable = false;
  int run = 0;                 // as in row
  int compute_capability = 0;  // 0: unknown, so the function counts for all
  int frame = 0;
  int spill_stores = 0;
  int spill_loads = 0;
};

struct ptxas_report {
  std::vector<row> rows;
  std::vector<function> functions;
  std::vector<std::string> unknown_lines;
  std::vector<std::string> errors;  // "file:line: error"
  bool from_ptxas = false;          // whether ptxas printed any information
};

/// Whether a line is printed because of -v of ptxas or nvlink. The launcher does not print such lines. Lines with a
/// message number, such as `(C7508)`, are printed without -v too.
inline bool is_info(std::string const& line) {
  bool const is_advice = has(line, ": (C");
  return (!is_advice && (begins(line, "ptxas info") || begins(line, "nvlink info"))) ||
         (begins(line, "    ") && has(line, "bytes stack frame") && has(line, "bytes spill stores"));
}

namespace detail {

/// Adds a number such as `360` or `48+0` to `sum`.
inline bool add_numbers(std::string const& part, int& sum) {
  for (std::string const& term : split(part, '+')) {
    int number = 0;
    if (!read_number(term, number)) return false;
    sum += number;
  }
  return true;
}

/// Whether a line ends in the middle of this word of it.
inline bool is_cut(std::string const& what) {
  if (begins(what, "bytes cmem[")) return what.back() != ']';
  for (char const* const known :
       {"registers", "barriers", "bytes smem", "bytes cmem[", "bytes lmem", "stack", "bytes cumulative stack size"}) {
    if (what != known && begins(known, what)) return true;
  }
  return false;
}

/// Reads `Used 40 registers, used 1 barriers, 360 bytes cmem[0]`.
inline bool read_used(std::string const& text, row& into) {
  bool registers = false;
  std::size_t begin = 5;  // after "Used "
  while (begin < text.size()) {
    std::size_t end = text.find(", ", begin);
    if (end == std::string::npos) end = text.size();
    std::string part = text.substr(begin, end - begin);
    begin = end + 2;
    if (begins(part, "used ")) part = part.substr(5);
    std::size_t const space = part.find(' ');
    if (space == std::string::npos) return false;
    std::string const what = part.substr(space + 1);
    int number = 0;
    if (!add_numbers(part.substr(0, space), number) || is_cut(what)) return false;
    if (what == "registers") {
      into.registers = number;
      registers = true;
    } else if (what == "barriers") {
      into.barriers = number;
    } else if (what == "bytes smem") {
      into.static_shared_memory += number;
    } else if (begins(what, "bytes cmem[")) {
      into.constant_memory += number;
    } else if (what == "stack" || what == "bytes cumulative stack size") {
      into.stack = std::max(into.stack, number);
    }
  }
  return registers;
}

/// Reads the next name in quotation marks, from `from` on.
inline bool read_quoted(std::string const& text, std::size_t from, std::string& name, std::size_t& after) {
  std::size_t const open = text.find('\'', from);
  if (open == std::string::npos) return false;
  std::size_t const close = text.find('\'', open + 1);
  if (close == std::string::npos || close == open + 1) return false;
  name = text.substr(open + 1, close - open - 1);
  after = close + 1;
  return true;
}

/// The compute capability in "sm_90", "sm_90a" or "compute_90": 90. 0 for any other text.
inline int capability_in(std::string const& text) {
  if (!begins(text, "sm_") && !begins(text, "compute_") && !begins(text, "lto_")) return 0;
  std::size_t const begin = text.find('_') + 1;
  std::size_t end = begin;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  int number = 0;
  if (end + 1 < text.size() || !read_number(text.substr(begin, end - begin), number)) return 0;
  return number;
}

/// Whether ptxas reports that it ignores launch bounds.
inline bool is_about_ignored_bounds(std::string const& line) {
  return (has(line, "will be ignored") || has(line, "is ignored")) &&
         (has(line, "minnctapersm") || has(line, "maxntid") || has(line, "maxnreg") || has(line, "reqntid"));
}

/// Whether words that identify a line of ptxas stand in this text, from a position on. Lines that have them elsewhere
/// are two lines that are mixed.
inline bool has_known_line(std::string const& text, std::size_t from) {
  for (char const* const words :
       {"Compiling entry function", "Function properties for ", "bytes stack frame", ": Used "}) {
    if (text.find(words, from) != std::string::npos) return true;
  }
  return false;
}

}  // namespace detail

/// Reads the output of ptxas for one object.
class reader {
 public:
  reader(ptxas_report& into, std::string const& file, std::string const& object, std::string const& flags,
         bool relocatable)
      : into_(into), file_(file), object_(object), flags_(flags), relocatable_(relocatable) {}

  void read(std::vector<std::string> const& lines, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) read_line(lines[i], i + 1);
    finish();
  }

  /// Reads one line; `number` is for errors.
  void read_line(std::string const& line, std::size_t number) {
    line_ = number;
    if (line.find("ptxas info", 1) != std::string::npos) {
      mixed();
    } else if (begins(line, "ptxas info") || begins(line, "nvlink info")) {
      into_.from_ptxas = true;
      std::size_t const colon = line.find_first_not_of(' ', line.find(' ') + 5);  // after "info"
      bool const is_whole = colon != std::string::npos && line[colon] == ':';
      std::size_t const text = is_whole ? line.find_first_not_of(' ', colon + 1) : std::string::npos;
      if (text != std::string::npos) {
        info(line, line.substr(text));
      } else {
        mixed();
      }
    } else if (is_info(line)) {
      stack_frame(line);
    } else if (detail::is_about_ignored_bounds(line)) {
      ignored(line);
    } else if (detail::has_known_line(line, 0)) {
      mixed();
    } else if (begins(line, "ptxas") && !has(line, "warning")) {
      unknown(line);
    }
  }

  /// Whether the report has kernels or functions of a run of ptxas that has ended.
  bool has_finished() const { return first_row_ + first_function_ > 0; }

  /// Moves the kernels and functions of the runs that have ended out of the report.
  void take_finished(std::vector<row>& rows, std::vector<function>& functions) {
    take_first(into_.rows, first_row_, rows);
    take_first(into_.functions, first_function_, functions);
  }

  /// Reports what the text leaves open at its end.
  void finish() {
    end_run();
    if (!entry_.symbol.empty()) error("the output of ptxas ends in the middle of " + entry_.symbol);
    for (std::string const& symbol : ignored_) {
      error("ptxas ignored the launch bounds of " + symbol + ", but did not compile this kernel");
    }
  }

 private:
  template <class Element>
  static void take_first(std::vector<Element>& from, std::size_t& count, std::vector<Element>& into) {
    auto const end = from.begin() + static_cast<std::ptrdiff_t>(count);
    into.assign(std::make_move_iterator(from.begin()), std::make_move_iterator(end));
    from.erase(from.begin(), end);
    count = 0;
  }

  void info(std::string const& line, std::string const& text) {
    if (detail::has_known_line(text, 1)) {
      mixed();
    } else if (begins(text, "Compiling entry function")) {
      if (!entry_.symbol.empty())
        error("no numbers for " + entry_.symbol + " before the next kernel: truncated or interleaved");
      entry_ = row{};
      std::string target;
      std::size_t after = 0;
      if (!detail::read_quoted(text, 0, entry_.symbol, after) || !detail::read_quoted(text, after, target, after) ||
          detail::capability_in(target) == 0) {
        entry_ = row{};
        error("this line names no kernel and architecture: " + text);
        return;
      }
      entry_.object = object_;
      entry_.flags = flags_;
      entry_.compute_capability = detail::capability_in(target);
      entry_.run = run_;
      entry_.line = line_;
      entry_.bounds_ignored = ignored_.erase(entry_.symbol) > 0 ? 1 : 0;
      frame_seen_ = false;
    } else if (begins(text, "Function properties for ")) {
      function_ = text.substr(24);
    } else if (begins(text, "Used ")) {
      if (entry_.symbol.empty()) return error("numbers that belong to no kernel: " + text);
      if (!frame_seen_) return error("no stack and spills for " + entry_.symbol + ": truncated or interleaved");
      if (!detail::read_used(text, entry_)) return error("these numbers cannot be read: " + text);
      into_.rows.push_back(entry_);
      entry_ = row{};
    } else if (has(text, "bytes gmem")) {
      if (!entry_.symbol.empty()) error("ptxas begins anew in the middle of " + entry_.symbol + ": interleaved");
      end_run();
    } else if (!begins(text, "Compile time") && !begins(text, "Overriding ")) {
      unknown(line);
    }
  }

  /// ptxas runs once per architecture, and each run begins with a line about global memory. Functions that it reported
  /// outside of a kernel belong to the run that ends here.
  void end_run() {
    int const compute_capability = into_.rows.size() > first_row_ ? into_.rows.back().compute_capability : 0;
    for (; first_function_ < into_.functions.size(); ++first_function_) {
      into_.functions[first_function_].compute_capability = compute_capability;
    }
    first_row_ = into_.rows.size();
    ++run_;
  }

  void stack_frame(std::string const& line) {
    if (function_.empty()) return error("a stack frame that belongs to no function: " + line);
    int stack = 0;
    int stores = 0;
    int loads = 0;
    int length = 0;
    if (std::sscanf(line.c_str(), " %9d bytes stack frame, %9d bytes spill stores, %9d bytes spill loads%n", &stack,
                    &stores, &loads, &length) != 3 ||
        length == 0 || static_cast<std::size_t>(length) != line.size()) {
      return error("this stack frame cannot be read: " + line);
    }
    if (function_ == entry_.symbol) {
      if (frame_seen_) error("stack and spills of " + entry_.symbol + " twice: interleaved");
      entry_.stack = entry_.frame = stack;
      entry_.spill_stores = stores;
      entry_.spill_loads = loads;
      frame_seen_ = true;
    } else if (!relocatable_ && entry_.symbol.empty() && into_.rows.size() > first_row_) {
      // The functions that a kernel may call follow the kernel's own numbers.
      row& caller = into_.rows.back();
      caller.spill_stores += stores;
      caller.spill_loads += loads;
    } else if (stores + loads > 0) {
      into_.functions.push_back({object_, relocatable_, run_, 0, stack, stores, loads});
    }
    function_.clear();
  }

  void ignored(std::string const& line) {
    std::size_t const at = line.find("for entry ");
    if (at == std::string::npos) return error("ptxas ignored launch bounds, but names no kernel: " + line);
    std::size_t const begin = at + 10;
    ignored_.insert(line.substr(begin, line.find(' ', begin) - begin));
  }

  void mixed() { error("two lines are mixed: the output of several ptxas processes is interleaved"); }
  void unknown(std::string const& line) { into_.unknown_lines.push_back(line); }
  void error(std::string const& what) { into_.errors.push_back(file_ + ":" + std::to_string(line_) + ": " + what); }

  ptxas_report& into_;
  std::string const& file_;
  std::string const& object_;
  std::string const& flags_;
  bool const relocatable_;
  std::size_t line_ = 0;
  int run_ = 0;
  std::size_t first_row_ = 0;  // the first row of this run of ptxas
  std::size_t first_function_ = 0;
  row entry_;
  std::string function_;
  bool frame_seen_ = false;
  std::set<std::string> ignored_;
};

/// Adds the largest spill of the functions that a kernel can reach and that fit its stack.
template <class IsReachable>
void add_spills(row& kernel, std::vector<function> const& functions, bool is_stack_known, IsReachable is_reachable) {
  int stores = 0;
  int loads = 0;
  for (function const& one : functions) {
    bool const is_same = one.compute_capability == 0 || one.compute_capability == kernel.compute_capability;
    bool const has_room = !is_stack_known || kernel.stack - kernel.frame >= one.frame;
    if (!is_same || !has_room || !is_reachable(one)) continue;
    stores = std::max(stores, one.spill_stores);
    loads = std::max(loads, one.spill_loads);
  }
  kernel.spill_stores += stores;
  kernel.spill_loads += loads;
}

}  // namespace measure
