// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The reports: a markdown table, JSON and SARIF. All of them are written from the entries and their differences from
/// the lock.

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "differences.hpp"
#include "entries.hpp"
#include "measured_build.hpp"
#include "request.hpp"

namespace measure {

/// The contents of the reports.
struct report_contents {
  entry_map entries;
  std::vector<difference> differences;
  std::vector<unused_on> unused;
  bool checks_compiled = true;  // false: the contracts and blocks are the last known ones
};

namespace detail {

// ---- texts ----------------------------------------------------------------------------------------------------------

inline std::string json(std::string const& plain) {
  std::string result = "\"";
  for (char c : plain) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 32) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
      result += buffer;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

inline std::string markdown(std::string const& plain) {
  std::string result;
  for (char c : plain) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

// ---- source locations of contracts ----------------------------------------------------------------------------------

struct place {
  std::string file;
  int line = 1;
};

/// Whether `line` has `name` as a whole word at position `at`.
inline bool has_word(std::string const& line, std::string const& name, std::size_t at) {
  auto const in_word = [&](std::size_t i) { return i < line.size() && (is_letter(line[i]) || is_digit(line[i])); };
  return at != std::string::npos && (at == 0 || !in_word(at - 1)) && !in_word(at + name.size());
}

/// Returns the CHECKS file and all files that it includes from its folder, directly or not.
inline std::vector<std::string> with_included(std::string const& check) {
  std::vector<std::string> files{check};
  for (std::size_t f = 0; f < files.size() && f < 200; ++f) {
    std::string const folder = files[f].substr(0, files[f].rfind('/') + 1);
    std::string text;
    if (!read_file(files[f], text)) continue;
    for (std::string const& line : lines_of(text)) {
      if (!begins(line, "#include \"")) continue;
      std::string const included = folder + line.substr(10, line.find('"', 10) - 10);
      if (std::find(files.begin(), files.end(), included) == files.end()) files.push_back(included);
    }
  }
  return files;
}

/// Returns the location of a contract: the line of `struct <name>` in a CHECKS file or in a file of with_included(),
/// otherwise the first line of a CHECKS file that names it.
inline place place_of(measure_request const& request, std::string contract) {
  contract.resize(std::min(contract.size(), contract.find('<')));
  std::size_t const scope = contract.rfind("::");
  if (scope != std::string::npos) contract = contract.substr(scope + 2);
  place mentioned;
  for (std::string const& check : request.checks) {
    for (std::string const& file : with_included(check)) {
      std::string text;
      read_file(file, text);
      int number = 0;
      for (std::string const& line : lines_of(text)) {
        ++number;
        std::size_t const at = line.find(contract);
        if (!has_word(line, contract, at)) continue;
        if (begins(line, "struct ") && at == 7) return {file, number};
        if (mentioned.file.empty() && file == check) mentioned = {file, number};
      }
    }
  }
  return mentioned;
}

using place_map = std::map<std::string, place>;  // by the contract's name

inline place_map places_of(measure_request const& request, entry_map const& entries) {
  place_map places;
  for (auto const& [kernel, e] : entries) {
    for (held_contract const& contract : e.contracts) {
      if (places.count(contract.name) == 0) places[contract.name] = place_of(request, contract.name);
    }
  }
  return places;
}

inline std::map<kernel_on, std::string> kinds_of(std::vector<difference> const& differences) {
  std::map<kernel_on, std::string> kinds;
  for (difference const& d : differences) kinds.emplace(d.kernel, d.kind);
  return kinds;
}

// ---- markdown -------------------------------------------------------------------------------------------------------

/// The columns between the architecture and the contract. Fields with one heading are one column.
inline std::vector<std::vector<field const*>> table_columns() {
  std::vector<std::vector<field const*>> columns;
  for (field const& each : fields) {
    if (each.heading == nullptr) continue;
    if (columns.empty() || std::string(columns.back().front()->heading) != each.heading) columns.emplace_back();
    columns.back().push_back(&each);
  }
  return columns;
}

inline std::string table_row(kernel_on const& kernel, std::vector<std::string> const& cells, std::string const& kind) {
  std::string text = "| `" + markdown(kernel.first) + "` | " + gpu_of(kernel) + " |";
  for (std::string const& cell : cells) text += (cell.empty() ? "" : " " + cell) + " |";
  return text + " " + kind + " |\n";
}

inline std::string describe_contracts(entry const& e, bool are_known) {
  std::string text;
  for (held_contract const& contract : e.contracts) {
    append(text, "; ",
           contract.name + ": " + words_of(contract.violation) + " (at most " +
               std::to_string(contract.limits.registers_allowed) + " registers, at least " +
               std::to_string(contract.limits.blocks_required) + " blocks)");
  }
  return !text.empty() ? markdown(text) : are_known ? "none" : "unknown";
}

inline std::string write_markdown(measure_request const& request, measured_build const& build,
                                  report_contents const& contents) {
  auto const columns = table_columns();
  std::string headings = "| kernel | GPU |";
  std::string rule = "|---|---|";
  for (auto const& column : columns) {
    headings += std::string(" ") + column.front()->heading + " |";
    rule += column.front()->as == shown::text ? "---|" : "--:|";
  }
  std::string table = "### " + request.name + ", as " + request.compiler + " compiled it\n\n" + headings +
                      " contract | lock |\n" + rule + "---|---|\n";
  auto kinds = kinds_of(contents.differences);
  for (auto const& [kernel, e] : contents.entries) {
    std::vector<std::string> cells;
    for (auto const& column : columns) {
      std::string cell;
      for (field const* each : column) append(cell, "/", value_of(*each, e));
      cells.push_back(cell);
    }
    cells.push_back(describe_contracts(e, contents.checks_compiled));
    table += table_row(kernel, cells, kinds[kernel]);
  }
  for (difference const& d : contents.differences) {
    if (d.kind == "GONE") table += table_row(d.kernel, std::vector<std::string>(columns.size() + 1), d.kind);
  }
  for (int capability : build.not_measurable()) {
    table += "\ncompute_" + std::to_string(capability) + " has only PTX: not measurable.\n";
  }
  for (unused_on const& each : contents.unused) {
    table += "\n`on<sm<" + std::to_string(each.compute_capability) + ">>` of " + markdown(each.contract) +
             ": no kernel is compiled for it.\n";
  }
  if (!contents.checks_compiled) {
    table +=
        "\nThe CHECKS did not compile in this build. Contracts and block sizes are the last known ones: from the last "
        "build in which they compiled, or from the lock.\n";
  }
  return table;
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

inline std::string json_of_contracts(measure_request const& request, entry const& e, place_map const& places) {
  std::string text;
  for (held_contract const& contract : e.contracts) {
    place const& where = places.at(contract.name);
    std::string one = "{\"name\": " + json(contract.name) + ", \"file\": " + json(request.within_root(where.file)) +
                      ", \"line\": " + std::to_string(where.line);
    for (contract_field const& each : contract_fields) {
      if (each.json == nullptr) continue;
      one += ", " + json(each.json) + ": " + std::to_string(each.in(contract.limits));
    }
    append(text, ", ", one + ", \"verdict\": " + json(words_of(contract.violation)) + "}");
  }
  return "[" + text + "]";
}

inline std::string write_json(measure_request const& request, measured_build const& build,
                              report_contents const& contents, place_map const& places) {
  std::string not_measurable;
  for (int capability : build.not_measurable()) append(not_measurable, ", ", std::to_string(capability));
  std::string not_mapped;
  std::set<std::string> seen;
  for (row const& each : build.ptxas.rows) {
    if (!seen.insert(each.symbol).second || !build.names.at(each.symbol).path.empty()) continue;
    append(not_mapped, ", ", json(each.key));
  }
  std::string unused;
  for (unused_on const& each : contents.unused) {
    append(unused, ", ",
           "{\"contract\": " + json(each.contract) +
               ", \"compute_capability\": " + std::to_string(each.compute_capability) + "}");
  }
  std::map<std::string, row const*> rows;  // by key
  for (row const& each : build.ptxas.rows) rows.insert({each.key, &each});
  std::string kernels;
  auto kinds = kinds_of(contents.differences);
  for (auto const& [kernel, e] : contents.entries) {
    row const& found = *rows.at(kernel.first);
    std::string one = "\n    {\"kernel\": " + json(kernel.first) + ", \"name\": " + json(found.name) +
                      ", \"symbol\": " + json(found.symbol) +
                      ", \"compute_capability\": " + std::to_string(kernel.second);
    for (field const& each : fields) {
      if (each.json != nullptr) one += ", " + json_member(each, e, json);
    }
    one += ", \"lock\": " + json(kinds[kernel]) + ", \"contracts\": " + json_of_contracts(request, e, places) + "}";
    append(kernels, ",", one);
  }
  return "{\n  \"version\": 1,\n  \"target\": " + json(request.name) + ",\n  \"compiler\": " + json(request.compiler) +
         (contents.checks_compiled ? "" : ",\n  \"checks_compiled\": false") +
         ",\n  \"not_understood_lines\": " + std::to_string(build.ptxas.unknown_lines.size()) +
         ",\n  \"not_measurable\": [" + not_measurable + "],\n  \"not_mapped\": [" + not_mapped +
         "],\n  \"unused_on\": [" + unused + "],\n  \"kernels\": [" + kernels + "\n  ]\n}\n";
}

// ---- SARIF ----------------------------------------------------------------------------------------------------------

/// SARIF's artifactLocation, whose path is a URI.
inline std::string sarif_location(measure_request const& request, std::string const& path) {
  std::string const relative = request.within_root(path);
  std::string uri;
  for (char c : relative) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || has("/._-~", std::string(1, c))) {
      uri += c;
    } else {
      char buffer[4];
      std::snprintf(buffer, sizeof buffer, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
      uri += buffer;
    }
  }
  if (begins(uri, "/")) return "{\"uri\": " + json("file://" + uri) + "}";
  return "{\"uri\": " + json(uri) + ", \"uriBaseId\": \"SRCROOT\"}";
}

inline std::string sarif_result(measure_request const& request, std::string const& rule, std::string const& text,
                                place const& where, bool is_error) {
  return "\n      {\"ruleId\": " + json(rule) + ", \"level\": " + (is_error ? "\"error\"" : "\"note\"") +
         ", \"message\": {\"text\": " + json(text) +
         "}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": " + sarif_location(request, where.file) +
         ", \"region\": {\"startLine\": " + std::to_string(where.line) + "}}}]}";
}

inline std::string write_sarif(measure_request const& request, report_contents const& contents,
                               place_map const& places) {
  std::string results;
  auto const add = [&](std::string const& rule, std::string const& text, place const& where, bool is_error) {
    append(results, ",", sarif_result(request, rule, text, where, is_error));
  };
  for (auto const& [kernel, e] : contents.entries) {
    for (held_contract const& contract : e.contracts) {
      if (contract.violation == warpguard::measured_violation::none) continue;
      add("warpguard/contract", contract.name + ": " + words_of(contract.violation) + ": " + line_of(kernel, e),
          places.at(contract.name), true);
    }
  }
  if (!contents.checks_compiled) {
    add("warpguard/contract", "the CHECKS of " + request.name + " did not compile: see the build's output",
        {request.checks.empty() ? "" : request.checks.front(), 1}, true);
  }
  for (difference const& d : contents.differences) {
    if ((d.kind == "UNBUILT" || d.kind == "UNCOMPARED") && !d.fails) continue;
    place where{request.lock, 1};
    auto const found = contents.entries.find(d.kernel);
    if (found != contents.entries.end() && !found->second.contracts.empty()) {
      where = places.at(found->second.contracts[0].name);
    }
    add("warpguard/lock", d.kind + " " + shown_kernel(d.kernel) + ": " + d.details, where, d.fails);
  }
  return "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  "
         "\"runs\": [{\n"
         "    \"tool\": {\"driver\": {\"name\": \"warpguard\", \"rules\": [\n"
         "      {\"id\": \"warpguard/contract\", \"shortDescription\": {\"text\": \"ptxas broke a kernel's "
         "contract\"}},\n"
         "      {\"id\": \"warpguard/lock\", \"shortDescription\": {\"text\": \"a kernel differs from the "
         "lock\"}}]}},\n    \"results\": [" +
         results + "]\n  }]\n}\n";
}

}  // namespace detail

/// The files that write_reports() writes.
inline std::vector<std::string> report_files(measure_request const& request) {
  std::string const path = request.reports + "/" + request.name;
  return {path + ".md", path + ".json", path + ".sarif"};
}

inline void write_reports(measure_request const& request, measured_build const& build,
                          report_contents const& contents) {
  detail::place_map const places = detail::places_of(request, contents.entries);
  std::vector<std::string> const files = report_files(request);
  write_file(files[0], detail::write_markdown(request, build, contents));
  write_file(files[1], detail::write_json(request, build, contents, places));
  write_file(files[2], detail::write_sarif(request, contents, places));
}

}  // namespace measure
