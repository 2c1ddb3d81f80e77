// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fields.hpp"
#include "names.hpp"
#include "ptxas_text.hpp"
#include "text.hpp"

namespace measure {

namespace {

// ---- a log, line by line --------------------------------------------------------------------------------------------

/// No line of ptxas is longer than this. Of longer lines, only the beginning is read.
constexpr std::size_t longest_line = 1 << 20;

struct log_line {
  std::string text;
  std::size_t number = 0;
  bool is_whole = false;  // it has a line end, and is not longer than the longest line
};

/// Calls `each_line` with each line of a file, which may be larger than the memory. Returns false if it cannot be read.
template <class EachLine>
bool read_lines(std::FILE* file, EachLine each_line) {
  log_line line;
  line.number = 1;
  bool is_long = false;
  auto const end_line = [&](bool has_end) {
    while (has_end && !line.text.empty() && line.text.back() == '\r') line.text.pop_back();
    line.is_whole = has_end && !is_long;
    each_line(line);
    line.text.clear();
    ++line.number;
    is_long = false;
  };
  static char buffer[65536];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
    for (char const* at = buffer; at < buffer + count;) {
      char const* const rest = buffer + count;
      char const* const end = std::find(at, rest, '\n');
      std::size_t const length = static_cast<std::size_t>(end - at);
      std::size_t const room = longest_line - line.text.size();
      line.text.append(at, std::min(length, room));
      is_long = is_long || length > room;
      at = end;
      if (end == rest) break;
      end_line(true);
      ++at;
    }
  }
  if (!line.text.empty()) end_line(false);
  return std::ferror(file) == 0;
}

/// Whether a line that ends too early may be one of ptxas's.
bool may_be_of_ptxas(std::string const& line) {
  std::string const word = "ptxas";
  return begins(line, word) || begins(word, line) || begins(line, "    ");
}

/// The object that a line of CMake's output names, or an empty string.
std::string object_in(std::string const& line) {
  std::string const words = "Building CUDA object ";
  std::size_t const at = line.find(words);
  if (at == std::string::npos) return "";
  std::string const rest = line.substr(at + words.size());
  return rest.substr(0, rest.find('\033'));  // without the code that ends a colour
}

// ---- the kernels of all logs ----------------------------------------------------------------------------------------

struct found_kernels : log_kernels {
  std::map<std::string, std::string> place_of_object;
  std::vector<std::string> errors;
  std::size_t error_count = 0;

  void add_error(std::string const& text) {
    constexpr std::size_t shown = 20;
    if (error_count++ < shown) errors.push_back(text);
  }
};

void add_run(found_kernels& found, std::vector<row>& rows, std::vector<function> const& functions) {
  std::map<int, std::vector<function>> of_run;
  for (function const& each : functions) of_run[each.run].push_back(each);
  for (row& kernel : rows) {
    auto const of_this = of_run.find(kernel.run);
    if (of_this != of_run.end()) {
      add_spills(kernel, of_this->second, kernel.barriers >= 0, [](function const&) { return true; });
    }
    int const log = static_cast<int>(found.logs.size()) - 1;
    found.all.push_back({std::move(kernel.symbol), "", kernel, kernel.compute_capability, log, kernel.line});
  }
}

/// Reads one line of a log. Lines that are not ptxas's, or that must not be believed, do not reach the reader.
void read_line(found_kernels& found, reader& lines, log_line const& line) {
  std::string const& text = line.text;
  auto const place = [&] { return found.logs.back() + ":" + std::to_string(line.number); };
  if (!line.is_whole && may_be_of_ptxas(text)) {
    return found.add_error(place() + ": this line of ptxas is cut: save the whole output of the build");
  }
  if (begins(text, "ptxas fatal") || begins(text, "ptxas error")) {
    return found.add_error(place() +
                           ": ptxas failed, so kernels are missing: read the output of a build that succeeds");
  }
  if (begins(text, "nvlink")) {
    ++found.unknown_lines;  // the numbers of the device link, which are not those of ptxas
    return;
  }
  std::string const object = object_in(text);
  if (!object.empty()) {
    auto const [first, is_new] = found.place_of_object.insert({object, place()});
    if (!is_new) {
      found.add_error(place() + ": " + object + " is compiled again; first in " + first->second +
                      ": these are two builds; read the output of one build only");
    }
  }
  lines.read_line(text, line.number);
}

void read_log(found_kernels& found, std::string const& name, std::FILE* file) {
  found.logs.push_back(name);
  ptxas_report report;
  std::string const none;
  reader lines(report, name, none, none, false);
  std::vector<row> rows;
  std::vector<function> functions;
  auto const take = [&] {
    if (lines.has_finished()) {
      lines.take_finished(rows, functions);
      add_run(found, rows, functions);
    }
    found.unknown_lines += report.unknown_lines.size();
    report.unknown_lines.clear();
    for (std::string const& error : report.errors) {
      found.add_error(error +
                      ": build again from clean, with `make --output-sync=target` if make runs several compilers "
                      "at once, and save the whole output");
    }
    report.errors.clear();
  };
  bool const is_read = read_lines(file, [&](log_line const& line) {
    read_line(found, lines, line);
    take();
  });
  if (!is_read) found.add_error(name + ": cannot read this file: " + std::strerror(errno));
  lines.finish();
  take();
}

bool are_equal(amounts const& one, amounts const& other) {
  return std::all_of(std::begin(fields), std::end(fields), [&](field const& each) {
    return !each.is_measured || one.*measured_member(each) == other.*measured_member(each);
  });
}

void take_largest(amounts& into, amounts const& other) {
  for (field const& each : fields) {
    if (each.is_measured)
      into.*measured_member(each) = std::max(into.*measured_member(each), other.*measured_member(each));
  }
}

bool is_template(std::string const& symbol) { return name_of(symbol).is_template; }

/// Makes one kernel of those with one symbol and architecture. Unless `largest` is set, only an instance of a template
/// may occur again, with the same numbers: several objects of one build can have it.
void merge(found_kernels& found, bool largest) {
  std::vector<found_kernel>& all = found.all;
  std::stable_sort(all.begin(), all.end(), [](found_kernel const& one, found_kernel const& other) {
    return std::tie(one.symbol, one.compute_capability) < std::tie(other.symbol, other.compute_capability);
  });
  std::size_t last = 0;  // of the merged kernels
  for (std::size_t i = 1; i < all.size(); ++i) {
    found_kernel& first = all[last];
    found_kernel& again = all[i];
    if (first.symbol != again.symbol || first.compute_capability != again.compute_capability) {
      if (++last != i) all[last] = std::move(again);
    } else if (largest || (are_equal(first.numbers, again.numbers) && is_template(first.symbol))) {
      take_largest(first.numbers, again.numbers);
    } else {
      found.add_error(found.place_of(again) + ": " + shortened(name_of(again.symbol).text) + " for sm_" +
                      std::to_string(again.compute_capability) + " is compiled again; first in " +
                      found.place_of(first) +
                      ": read the output of one build only, or, if one build compiles it in several objects, add "
                      "--largest, or let the build call `warpguard compile`, which knows the sources");
    }
  }
  if (!all.empty()) all.resize(last + 1);
}

void sort_by_name(std::vector<found_kernel>& kernels) {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    bool const is_same = i > 0 && kernels[i].symbol == kernels[i - 1].symbol;  // merge() sorts them by symbol
    kernels[i].name = is_same ? kernels[i - 1].name : name_of(kernels[i].symbol).text;
  }
  std::sort(kernels.begin(), kernels.end(), [](found_kernel const& one, found_kernel const& other) {
    return std::tie(one.name, one.symbol, one.compute_capability) <
           std::tie(other.name, other.symbol, other.compute_capability);
  });
  std::vector<found_kernel*> same_name;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    same_name.push_back(&kernels[i]);
    if (i + 1 < kernels.size() && kernels[i + 1].name == kernels[i].name) continue;
    make_distinct(same_name, [](found_kernel const&) { return ""; });  // a log does not say which object has a kernel
    same_name.clear();
  }
}

}  // namespace

std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  }
  return text;
}

log_kernels read_logs(std::vector<std::string> const& paths, bool largest, failures& failed) {
  found_kernels found;
  for (std::string const& path : paths) {
    bool const is_input = path == "-";
    std::FILE* const file = is_input ? stdin : std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
      found.add_error(path + ": cannot read this file: " + std::strerror(errno));
      continue;
    }
    read_log(found, is_input ? "standard input" : path, file);
    if (!is_input) std::fclose(file);
  }
  merge(found, largest);
  if (found.error_count == 0 && found.all.empty()) {
    found.add_error(paths.front() +
                    ": no kernel: call nvcc with -Xptxas -v, build from clean, and save standard error too");
  }
  for (std::string const& error : found.errors) failed.add(printable(error));
  if (found.error_count > found.errors.size()) {
    failed.add(fmt::format("and {} more errors", found.error_count - found.errors.size()));
  }
  sort_by_name(found.all);
  return std::move(found);
}

}  // namespace measure
