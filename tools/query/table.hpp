// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tables of values on standard output: text with aligned columns, JSON, CSV and markdown, all from one list of rows.

#pragma once

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../log.hpp"
#include "../percent.hpp"
#include "../text.hpp"
#include "query.hpp"

namespace measure {

/// A row of a table: the names of the columns and their values. Every row of a table has the same names.
using table_row = nlohmann::ordered_json;

inline void put(std::string const& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// A value as a cell. Text says `?` for `null`; in CSV and markdown the cell is empty. A text is quoted for CSV, and
/// escaped for markdown.
inline std::string cell_of(table_row const& value, query_format format) {
  if (value.is_null()) return format == query_format::text ? "?" : "";
  if (value.is_number_float()) return decimal_of(std::llround(100 * value.get<double>()));
  if (!value.is_string()) return value.dump();
  std::string const text = printable(value.get<std::string>());
  std::string result;
  for (char c : text) {
    if (format == query_format::csv && c == '"') result += '"';
    if (format == query_format::markdown && has("|`<>*_\\[]", std::string(1, c))) result += '\\';
    result += c;
  }
  return format == query_format::csv ? "\"" + result + "\"" : result;
}

namespace detail {

/// Texts are left-aligned, numbers right-aligned. A column of which a cell is a text has texts.
inline void print_aligned(std::vector<table_row> const& rows) {
  std::vector<std::vector<std::string>> lines(rows.size() + 1);
  std::vector<std::size_t> widths;
  std::vector<bool> are_texts;
  for (auto const& [name, value] : rows.front().items()) {
    lines[0].push_back(name);
    widths.push_back(lines[0].back().size());
    are_texts.push_back(false);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::size_t column = 0;
    for (auto const& [name, value] : rows[i].items()) {
      std::string const cell = cell_of(value, query_format::text);
      widths[column] = std::max(widths[column], cell.size());
      are_texts[column] = are_texts[column] || value.is_string();
      lines[i + 1].push_back(cell);
      ++column;
    }
  }
  for (std::vector<std::string> const& cells : lines) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      std::string const gap(widths[column] - cells[column].size(), ' ');
      line += (column > 0 ? "  " : "") + (are_texts[column] ? cells[column] + gap : gap + cells[column]);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    put(line + "\n");
  }
}

inline void print_separated(std::vector<table_row> const& rows, query_format format) {
  bool const is_csv = format == query_format::csv;
  std::string const separator = is_csv ? "," : " | ";
  std::string names;
  std::string rule;
  for (auto const& [name, value] : rows.front().items()) {
    append(names, separator, name);
    append(rule, "|", value.is_string() ? "---" : "--:");
  }
  put(is_csv ? names + "\n" : "| " + names + " |\n|" + rule + "|\n");
  for (table_row const& row : rows) {
    std::string cells;
    bool is_first = true;
    for (table_row const& value : row) {
      cells += (is_first ? "" : separator) + cell_of(value, format);
      is_first = false;
    }
    put(is_csv ? cells + "\n" : "| " + cells + " |\n");
  }
}

}  // namespace detail

/// Prints an object with the version of the format and one list.
inline void print_json(std::string const& list, std::vector<table_row> const& rows) {
  table_row all = {{"version", 1}};
  all[list] = table_row::array();
  for (table_row const& row : rows) all[list].push_back(row);
  put(all.dump(2, ' ', false, table_row::error_handler_t::replace) + "\n");
}

/// Prints rows in any format. `list` is what JSON calls them.
inline void print_table(std::string const& list, std::vector<table_row> const& rows, query_format format) {
  if (format == query_format::json) return print_json(list, rows);
  if (rows.empty()) return;
  if (format == query_format::text) return detail::print_aligned(rows);
  detail::print_separated(rows, format);
}

/// Returns the exit code of the program, once all is printed.
inline int end_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code::fine;
  failures failed;
  failed.add(std::string("cannot write standard output: ") + std::strerror(errno));
  return exit_code::unreadable;
}

}  // namespace measure
