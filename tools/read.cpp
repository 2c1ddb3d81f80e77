// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
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

struct found_kernel {
  row numbers;
  std::string place;  // "file:line"
  std::string name;   // demangled
};

struct found_kernels {
  std::vector<found_kernel> all;
  std::unordered_map<std::string, std::size_t> index_of;  // by symbol and architecture
  std::map<std::string, std::string> place_of_object;
  std::vector<std::string> errors;
  std::size_t unknown_lines = 0;
};

bool is_template(std::string const& symbol) { return !name_of(symbol).instance.empty(); }

bool are_equal(amounts const& one, amounts const& other) {
  return std::all_of(std::begin(fields), std::end(fields), [&](field const& each) {
    return !each.is_measured || one.*measured_member(each) == other.*measured_member(each);
  });
}

void add_kernel(found_kernels& found, row const& numbers, std::string const& place, bool largest) {
  std::string const key = numbers.symbol + " " + std::to_string(numbers.compute_capability);
  auto const [known, is_new] = found.index_of.insert({key, found.all.size()});
  if (is_new) {
    found.all.push_back({numbers, place, ""});
    return;
  }
  found_kernel& first = found.all[known->second];
  // Several objects of one build can have the same instance of a template.
  bool const is_same = are_equal(first.numbers, numbers) && is_template(numbers.symbol);
  if (!largest && !is_same) {
    found.errors.push_back(place + ": " + key_of(numbers.symbol) + " for sm_" +
                           std::to_string(numbers.compute_capability) + " is compiled again; first in " + first.place +
                           ": read the output of one build only, or, if one build compiles it in several objects, add "
                           "--largest");
    return;
  }
  for (field const& each : fields) {
    if (!each.is_measured) continue;
    int& number = first.numbers.*measured_member(each);
    number = std::max(number, numbers.*measured_member(each));
  }
}

void read_log(found_kernels& found, std::string const& name, std::FILE* file, bool largest) {
  ptxas_report report;
  std::string const none;
  reader lines(report, name, none, none, false);
  bool const is_read = read_lines(file, [&](log_line const& line) {
    std::string const place = name + ":" + std::to_string(line.number);
    if (!line.is_whole && may_be_of_ptxas(line.text)) {
      found.errors.push_back(place + ": this line of ptxas is cut: save the whole output of the build");
      return;
    }
    if (begins(line.text, "ptxas fatal") || begins(line.text, "ptxas error")) {
      found.errors.push_back(place +
                             ": ptxas failed, so kernels are missing: read the output of a build that succeeds");
      return;
    }
    std::string const object = object_in(line.text);
    if (!object.empty()) {
      auto const [first, is_new] = found.place_of_object.insert({object, place});
      if (!is_new) {
        found.errors.push_back(place + ": " + object + " is compiled again; first in " + first->second +
                               ": these are two builds; read the output of one build only");
      }
    }
    if (begins(line.text, "nvlink")) {
      ++found.unknown_lines;  // the numbers of the device link, which are not those of ptxas
      return;
    }
    lines.read_line(line.text, line.number);
    found.unknown_lines += report.unknown_lines.size();
    report.unknown_lines.clear();
  });
  if (!is_read) found.errors.push_back(name + ": cannot read this file: " + std::strerror(errno));
  lines.finish();
  for (std::string const& error : report.errors) {
    found.errors.push_back(error +
                           ": build again from clean, with `make --output-sync=target` if make runs several "
                           "compilers at once, and save the whole output");
  }
  std::map<int, std::vector<function>> functions;  // by run
  for (function const& each : report.functions) functions[each.run].push_back(each);
  for (row& kernel : report.rows) {
    auto const of_run = functions.find(kernel.run);
    if (of_run != functions.end()) {
      add_spills(kernel, of_run->second, kernel.barriers >= 0, [](function const&) { return true; });
    }
    add_kernel(found, kernel, name + ":" + std::to_string(kernel.line), largest);
  }
}

// ---- output ---------------------------------------------------------------------------------------------------------

/// A name as one line of text: a log may contain anything, such as codes that move a terminal's cursor.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  }
  return text;
}

std::string gpu_of(row const& numbers) { return "sm_" + std::to_string(numbers.compute_capability); }

/// The measured fields that have a name in JSON.
std::vector<field const*> shown_fields() {
  std::vector<field const*> shown;
  for (field const& each : fields) {
    if (each.is_measured && each.json != nullptr) shown.push_back(&each);
  }
  return shown;
}

std::string table_of(std::vector<found_kernel> const& kernels) {
  static constexpr char columns[] = "{:<7} {:>9} {:>7} {:>11} {:>6} {:>8}  {}\n";
  std::string text = fmt::format(columns, "GPU", "registers", "static", "spills", "stack", "barriers", "kernel");
  for (found_kernel const& each : kernels) {
    row const& numbers = each.numbers;
    text += fmt::format(columns, gpu_of(numbers), numbers.registers, numbers.static_shared_memory,
                        fmt::format("{}/{}", numbers.spill_stores, numbers.spill_loads), numbers.stack,
                        numbers.barriers < 0 ? "?" : std::to_string(numbers.barriers),
                        printable(each.name) + (numbers.bounds_ignored != 0 ? "  (launch bounds ignored)" : ""));
  }
  return text;
}

std::string json_of(found_kernels const& found) {
  nlohmann::ordered_json all = {{"version", 1}, {"not_understood_lines", found.unknown_lines}};
  nlohmann::ordered_json& list = all["kernels"] = nlohmann::ordered_json::array();
  for (found_kernel const& each : found.all) {
    nlohmann::ordered_json one = {{"kernel", each.name},
                                  {"symbol", each.numbers.symbol},
                                  {"compute_capability", each.numbers.compute_capability}};
    for (field const* member : shown_fields()) {
      int const number = each.numbers.*measured_member(*member);
      nlohmann::ordered_json& value = one[member->json];
      if (member->as == shown::flag) {
        value = number != 0;
      } else if (member->as == shown::number || number >= 0) {
        value = number;
      }
    }
    one["place"] = each.place;
    list.push_back(one);
  }
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string csv_of(std::vector<found_kernel> const& kernels) {
  auto const quoted = [](std::string const& text) {
    std::string result = "\"";
    for (char c : printable(text)) {
      if (c == '"') result += '"';
      result += c;
    }
    return result + "\"";
  };
  std::string text = "kernel,symbol,compute_capability";
  for (field const* member : shown_fields()) text += std::string(",") + member->json;
  text += "\n";
  for (found_kernel const& each : kernels) {
    text +=
        quoted(each.name) + "," + quoted(each.numbers.symbol) + "," + std::to_string(each.numbers.compute_capability);
    for (field const* member : shown_fields()) {
      int const number = each.numbers.*measured_member(*member);
      bool const is_unknown = member->as == shown::number_or_unknown && number < 0;
      text += "," + (is_unknown ? "" : std::to_string(number));
    }
    text += "\n";
  }
  return text;
}

void sort_by_name(std::vector<found_kernel>& kernels) {
  for (found_kernel& each : kernels) each.name = key_of(each.numbers.symbol);
  std::sort(kernels.begin(), kernels.end(), [](found_kernel const& one, found_kernel const& other) {
    if (one.name != other.name) return one.name < other.name;
    if (one.numbers.symbol != other.numbers.symbol) return one.numbers.symbol < other.numbers.symbol;
    return one.numbers.compute_capability < other.numbers.compute_capability;
  });
}

constexpr std::size_t shown_errors = 20;

}  // namespace

int read_logs(read_options const& options) {
  found_kernels found;
  for (std::string const& path : options.logs) {
    bool const is_input = path == "-";
    std::FILE* const file = is_input ? stdin : std::fopen(path.c_str(), "rb");
    if (file == nullptr) {
      found.errors.push_back(path + ": cannot read this file: " + std::strerror(errno));
      continue;
    }
    read_log(found, is_input ? "standard input" : path, file, options.largest);
    if (!is_input) std::fclose(file);
  }
  if (found.errors.empty() && found.all.empty()) {
    found.errors.push_back(options.logs.front() +
                           ": no kernel: call nvcc with -Xptxas -v, build from clean, and save standard error too");
  }
  failures unreadable;
  for (std::size_t i = 0; i < std::min(found.errors.size(), shown_errors); ++i) {
    unreadable.add(printable(found.errors[i]));
  }
  if (found.errors.size() > shown_errors) {
    unreadable.add(fmt::format("and {} more errors", found.errors.size() - shown_errors));
  }
  if (unreadable.count != 0) return exit_code::unreadable;

  sort_by_name(found.all);
  std::string const text = options.json ? json_of(found) : options.csv ? csv_of(found.all) : table_of(found.all);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    unreadable.add(std::string("cannot write standard output: ") + std::strerror(errno));
    return exit_code::unreadable;
  }
  if (found.unknown_lines != 0 && !options.json) {
    fmt::print(stderr, "warpguard: {} lines of ptxas and nvlink were not understood\n", found.unknown_lines);
  }
  return exit_code::fine;
}

}  // namespace measure
