// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "profile_text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "../text.hpp"

namespace measure {

namespace {

// ---- rows -----------------------------------------------------------------------------------------------------------

struct csv_row {
  std::size_t line;  // where it begins
  std::vector<std::string> cells;
};

/// Reads a row that begins at `at`, and moves `at` and `line` behind it. A cell in quotation marks may have commas,
/// line ends and doubled quotation marks. Returns false if the text ends inside quotation marks.
bool read_row(std::string const& text, std::size_t& at, std::size_t& line, csv_row& row) {
  row = {line, {""}};
  bool is_quoted = false;
  for (; at < text.size(); ++at) {
    char const c = text[at];
    if (c == '\n') ++line;
    if (is_quoted && c == '"' && at + 1 < text.size() && text[at + 1] == '"') {
      row.cells.back() += '"';
      ++at;
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (is_quoted || (c != ',' && c != '\n' && c != '\r')) {
      row.cells.back() += c;
    } else if (c == ',') {
      row.cells.emplace_back();
    } else if (c == '\n') {
      ++at;
      return true;
    }
  }
  return !is_quoted;
}

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

std::size_t column_of(csv_row const& header, std::string const& name) {
  auto const found = std::find(header.cells.begin(), header.cells.end(), name);
  return found == header.cells.end() ? no_column : static_cast<std::size_t>(found - header.cells.begin());
}

/// A cell of a row, or "" where it has no such column.
std::string cell_at(csv_row const& row, std::size_t column) {
  return column < row.cells.size() ? row.cells[column] : std::string();
}

// ---- numbers --------------------------------------------------------------------------------------------------------

/// What one unit of an export is in bytes or nanoseconds; 1 for anything else.
double scale_of(std::string const& unit) {
  std::string const what = unit.substr(0, unit.find('/'));
  struct {
    char const* name;
    double scale;
  } static const units[] = {{"Kbyte", 1e3},  {"Mbyte", 1e6}, {"Gbyte", 1e9}, {"usecond", 1e3}, {"msecond", 1e6},
                            {"second", 1e9}, {"us", 1e3},    {"ms", 1e6},    {"s", 1e9}};
  for (auto const& each : units) {
    if (what == each.name) return each.scale;
  }
  return 1;
}

/// Reads "1,234.50". What is no number in the export, such as "n/a", is unknown. Returns false if the number has
/// decimal commas, or is malformed.
bool read_profiled(std::string const& text, double scale, profiled_number& number) {
  number = {};
  bool const is_number = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0);
  if (!is_number) return text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '(';
  std::size_t const exponent = std::min(text.find('e'), text.size());  // 4.0e-05, as spreadsheets write
  std::size_t const point = std::min(text.find('.'), exponent);
  std::string const whole = text.substr(0, point);
  std::string const decimals = point < exponent ? text.substr(point + 1, exponent - point - 1) : "";
  std::string digits;
  std::vector<std::string> const groups = split(whole, ',');
  for (std::size_t i = 0; i < groups.size(); ++i) {
    bool const is_group = groups.size() == 1 || (i == 0 ? groups[0].size() <= 3 : groups[i].size() == 3);
    if (groups[i].empty() || !is_group) return false;
    digits += groups[i];
  }
  auto const is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (digits.size() > 18 || text.size() > 40 || !std::all_of(digits.begin(), digits.end(), is_digit) ||
      !std::all_of(decimals.begin(), decimals.end(), is_digit)) {
    return false;
  }
  int power = 0;
  if (exponent < text.size()) {
    std::string const after = text.substr(exponent + 1);
    bool const is_negative = begins(after, "-");
    if (!read_number(is_negative || begins(after, "+") ? after.substr(1) : after, power) || power > 18) return false;
    if (is_negative) power = -power;
  }
  double fraction = 0;
  double step = 1;
  for (char decimal : decimals) {
    step /= 10;
    fraction += (decimal - '0') * step;
  }
  double const factor = scale * std::pow(10.0, power);
  number.is_known = true;
  number.value = (std::stod(digits) + fraction) * factor;
  number.half_step = step * factor / 2;
  return true;
}

/// Reads "(256, 2, 1)" as 512. Other texts are unknown.
profiled_number read_shape(std::string const& text) {
  profiled_number product;
  if (text.size() < 3 || text.front() != '(' || text.back() != ')') return product;
  product.value = 1;
  for (std::string part : split(text.substr(1, text.size() - 2), ',')) {
    part.erase(std::remove(part.begin(), part.end(), ' '), part.end());
    int number = 0;
    if (!read_number(part, number)) return {};
    product.value *= number;
  }
  product.is_known = true;
  return product;
}

/// Reads "9.0" or "12.1" as 90 or 121; 0 for anything else.
int read_capability(std::string const& text) {
  std::vector<std::string> const parts = split(text, '.');
  int first = 0;
  int second = 0;
  bool const good = parts.size() == 2 && read_number(parts[0], first) && read_number(parts[1], second) && second < 10;
  return good && first < 100 ? 10 * first + second : 0;
}

// ---- metrics --------------------------------------------------------------------------------------------------------

/// A metric, and what the raw page and the details page call it.
struct metric {
  char const* raw;
  char const* details;
  profiled_number profiled_kernel::*member;
  bool is_whole;
};

metric const metrics[] = {
    {"launch__block_size", "Block Size", &profiled_kernel::threads, true},
    {"launch__grid_size", "Grid Size", &profiled_kernel::grid, true},
    {"launch__registers_per_thread", "Registers Per Thread", &profiled_kernel::registers, true},
    {"launch__shared_mem_per_block_static", "Static Shared Memory Per Block", &profiled_kernel::static_bytes, true},
    {"launch__shared_mem_per_block_dynamic", "Dynamic Shared Memory Per Block", &profiled_kernel::dynamic_bytes, true},
    {"launch__sm_count", "# SMs", &profiled_kernel::sms, true},
    {"device__attribute_multiprocessor_count", "", &profiled_kernel::sms, true},
    {"gpu__time_duration.sum", "Duration", &profiled_kernel::duration, false},
    {"sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy", &profiled_kernel::theoretical, false},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy", &profiled_kernel::achieved, false},
    {"launch__occupancy_limit_warps", "Block Limit Warps", &profiled_kernel::limit_by_warps, true},
    {"launch__occupancy_limit_registers", "Block Limit Registers", &profiled_kernel::limit_by_registers, true},
    {"launch__occupancy_limit_shared_mem", "Block Limit Shared Mem", &profiled_kernel::limit_by_shared_memory, true},
    {"launch__occupancy_limit_blocks", "Block Limit SM", &profiled_kernel::limit_by_block_slots, true},
    {"launch__occupancy_limit_barriers", "Block Limit Barriers", &profiled_kernel::limit_by_barriers, true},
};

/// Sets a metric of a kernel, if it is one that is used. Returns an error message, or an empty string.
std::string set_metric(std::string const& name, std::string const& unit, std::string const& text,
                       profiled_kernel& kernel) {
  for (metric const& each : metrics) {
    if (name != each.raw && (name != each.details || name.empty())) continue;
    profiled_number number;
    double const scale = scale_of(unit);
    if (!read_profiled(text, scale, number)) {
      return "`" + name + "` is `" + text +
             "`, where only a number such as 1,234.5 can be read. If these are decimal commas, export with LC_ALL=C";
    }
    if (each.is_whole && scale > 1) {  // Zeros at the end are left out: "16" Kbyte are "16.00".
      number.half_step = number.value == 0 ? 0 : std::min(number.half_step, scale * 0.005);
    } else if (each.is_whole) {
      if (number.value != std::floor(number.value)) {
        return "`" + name + "` is `" + text + "`, which is no whole number";
      }
      number.half_step = 0;
    }
    if (number.is_known) kernel.*each.member = number;
    return "";
  }
  return "";
}

// ---- the export -----------------------------------------------------------------------------------------------------

/// The columns that say which kernel a row is about.
struct key_columns {
  std::size_t id, name, block, grid, capability, invocations;

  explicit key_columns(csv_row const& header)
      : id(column_of(header, "ID")),
        name(column_of(header, "Kernel Name")),
        block(column_of(header, "Block Size")),
        grid(column_of(header, "Grid Size")),
        capability(column_of(header, "CC")),
        invocations(column_of(header, "Invocations")) {}

  profiled_kernel kernel_of(csv_row const& row) const {
    profiled_kernel kernel;
    kernel.name = cell_at(row, name);
    kernel.line = row.line;
    kernel.compute_capability = read_capability(cell_at(row, capability));
    kernel.threads = read_shape(cell_at(row, block));
    kernel.grid = read_shape(cell_at(row, grid));
    int launches = 0;
    if (read_number(cell_at(row, invocations), launches)) kernel.launches = std::max(launches, 1);
    return kernel;
  }
};

bool is_header(csv_row const& row) {
  bool const has_numbers = column_of(row, "ID") != no_column || column_of(row, "Invocations") != no_column;
  return has_numbers && column_of(row, "Kernel Name") != no_column;
}

/// Finds the header: output of the program and of ncu may stand before it. Moves `at` and `line` behind it.
bool find_header(std::string const& text, std::size_t& at, std::size_t& line, csv_row& header) {
  while (at < text.size()) {
    std::size_t const begin = at;
    std::size_t const begin_line = line;
    std::size_t const end = std::min(text.find('\n', begin), text.size());
    if (text.substr(begin, end - begin).find("Kernel Name") != std::string::npos) {
      bool const is_read = read_row(text, at, line, header);
      if (is_read && is_header(header)) return true;
    }
    at = end + 1;
    line = begin_line + 1;
  }
  return false;
}

/// Whether a row is output of the program or of ncu between the rows: rows of the table begin with a number, or, if
/// they have the units, with nothing.
bool is_other_output(csv_row const& row) {
  auto const is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  std::string const& first = row.cells[0];
  return row.cells.size() == 1 || !std::all_of(first.begin(), first.end(), is_digit);
}

/// Why a text without a header is no export.
std::string why_no_export(std::string const& text) {
  std::string const head = text.substr(0, 4096);
  if (text.empty()) return "the file is empty";
  if (has(head, "No kernels were profiled")) return "Nsight Compute says that no kernel was profiled";
  if (has(head, "Total Time (ns)") || has(head, "nsys")) {
    return "this is from Nsight Systems, which measures no occupancy: profile with ncu";
  }
  if (has(head, "nvprof") || has(head, "NVPROF") || (has(head, "Kernel") && has(head, "achieved_occupancy"))) {
    return "this is from nvprof, and only the CSV of Nsight Compute can be read: profile with ncu";
  }
  return "no CSV of Nsight Compute: there is no row with the columns `ID` and `Kernel Name`";
}

/// The message for a report of Nsight Compute, which is binary; empty if the text is none.
std::string why_binary(std::string const& text, std::string const& origin) {
  bool const is_report = text.substr(0, 64).find('\0') != std::string::npos || begins(text, "NVR");
  if (!is_report) return "";
  return "this file is binary. If it is a report of Nsight Compute, make a CSV of it: ncu --import " +
         in_shell(origin) + " --csv --page raw --print-units base";
}

struct reader {
  std::string const& text;
  std::string const& origin;
  failures& failed;
  std::size_t at = 0;
  std::size_t line = 1;
  csv_row header{};
  std::vector<profiled_kernel> kernels{};

  void add_error(std::size_t where, std::string const& error) {
    failed.add(origin + ":" + std::to_string(where) + ": " + error);
  }

  /// Reads the next row of the table. Returns false at its end, or after an error.
  bool next(csv_row& row, std::size_t least_cells) {
    while (at < text.size()) {
      if (!read_row(text, at, line, row)) {
        add_error(row.line, "the file is cut: a quotation mark is not closed");
        return false;
      }
      if (is_other_output(row)) continue;
      if (row.cells.size() >= least_cells) return true;
      add_error(row.line, "the file is cut: this row has " + std::to_string(row.cells.size()) + " of " +
                              std::to_string(header.cells.size()) + " cells");
      return false;
    }
    return false;
  }

  void set(std::size_t where, std::string const& name, std::string const& unit, std::string const& value,
           profiled_kernel& kernel) {
    std::string const error = set_metric(name, unit, value, kernel);
    if (!error.empty()) add_error(where, error);
  }

  void read_raw() {
    key_columns const columns(header);
    std::vector<std::string> units(header.cells.size());
    for (csv_row row; failed.count == 0 && next(row, header.cells.size());) {
      if (cell_at(row, columns.name).empty()) {  // the row with the units
        units = row.cells;
        continue;
      }
      profiled_kernel kernel = columns.kernel_of(row);
      for (std::size_t i = 0; i < header.cells.size(); ++i) {
        if (i == columns.block || i == columns.grid) continue;
        set(row.line, header.cells[i], units[i], row.cells[i], kernel);
      }
      kernels.push_back(kernel);
    }
  }

  void read_details() {
    key_columns const columns(header);
    std::size_t const metric_column = column_of(header, "Metric Name");
    std::size_t const unit_column = column_of(header, "Metric Unit");
    std::size_t const single_value = column_of(header, "Metric Value");
    std::size_t const value_column = single_value != no_column ? single_value : column_of(header, "Average");
    std::size_t const section = column_of(header, "Section Name");
    std::size_t const key_end = std::min(section, metric_column);
    if (value_column == no_column || unit_column == no_column) {
      add_error(header.line, "the columns `Metric Unit` and `Metric Value` are missing");
      return;
    }
    std::map<std::vector<std::string>, std::size_t> known;
    for (csv_row row; failed.count == 0 && next(row, std::max(value_column, key_end) + 1);) {
      std::vector<std::string> const key(row.cells.begin(), row.cells.begin() + static_cast<std::ptrdiff_t>(key_end));
      auto const [found, is_new] = known.insert({key, kernels.size()});
      if (is_new) kernels.push_back(columns.kernel_of(row));
      set(row.line, cell_at(row, metric_column), cell_at(row, unit_column), cell_at(row, value_column),
          kernels[found->second]);
    }
  }
};

}  // namespace

std::vector<profiled_kernel> read_profile(std::string const& text, std::string const& origin, failures& failed) {
  std::string const binary = why_binary(text, origin);
  if (!binary.empty()) {
    failed.add(origin + ": " + binary);
    return {};
  }
  reader reading{text, origin, failed};
  if (!find_header(text, reading.at, reading.line, reading.header)) {
    failed.add(origin + ": " + why_no_export(text));
    return {};
  }
  int const before = failed.count;
  if (column_of(reading.header, "Metric Name") == no_column) {
    reading.read_raw();
  } else {
    reading.read_details();
  }
  if (failed.count != before) return {};
  if (reading.kernels.empty()) failed.add(origin + ": the export has no kernel");
  return reading.kernels;
}

std::string comparable_name(std::string const& name) {
  std::string text;
  std::size_t begin = 0;  // of the name, behind its result
  int depth = 0;          // of template arguments
  for (std::size_t i = 0; i < name.size(); ++i) {
    char const c = name[i];
    bool const is_namespace = name.compare(i, 21, "(anonymous namespace)") == 0 || name.compare(i, 9, "<unnamed>") == 0;
    if (is_namespace) {
      text += "{unnamed}";
      i += c == '(' ? 20 : 8;
      continue;
    }
    if (c == '(' && depth == 0) break;
    if (c == '(') {  // a cast: (int)4
      std::size_t const end = name.find(')', i);
      bool const is_cast = end != std::string::npos && end + 1 < name.size() &&
                           (std::isdigit(static_cast<unsigned char>(name[end + 1])) != 0 || name[end + 1] == '-');
      if (is_cast) {
        bool const is_bool = name.compare(i, 6, "(bool)") == 0;
        i = end;
        if (is_bool) {
          text += name[end + 1] == '1' ? "true" : "false";
          ++i;
        }
        continue;
      }
    }
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (c == ' ' && depth == 0) begin = text.size();
    if (c != ' ') text += c;
  }
  return text.substr(begin);
}

}  // namespace measure
