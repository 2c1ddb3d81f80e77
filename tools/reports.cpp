// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "reports.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "contract_place.hpp"
#include "delta.hpp"
#include "delta_json.hpp"
#include "delta_markdown.hpp"
#include "kernel_place.hpp"
#include "page.hpp"
#include "sarif.hpp"

namespace measure {

namespace {

/// The kinds of the kernels that differ from the lock.
std::map<kernel_on, std::string> kinds_of(std::vector<difference> const& differences) {
  std::map<kernel_on, std::string> kinds;
  for (difference const& d : differences) {
    kinds.emplace(d.kernel, d.kind);
    if (!d.successor.first.empty()) kinds.emplace(d.successor, "NEW");
  }
  return kinds;
}

std::string kind_of(std::map<kernel_on, std::string> const& kinds, kernel_on const& kernel) {
  auto const found = kinds.find(kernel);
  return found != kinds.end() ? found->second : "";
}

// ---- markdown -------------------------------------------------------------------------------------------------------

/// The columns between the architecture and the contract. Fields with one heading are one column.
std::vector<std::vector<field const*>> table_columns() {
  std::vector<std::vector<field const*>> columns;
  for (field const& each : fields) {
    if (each.heading == nullptr) continue;
    if (columns.empty() || std::string(columns.back().front()->heading) != each.heading) columns.emplace_back();
    columns.back().push_back(&each);
  }
  return columns;
}

std::string table_head(std::vector<std::vector<field const*>> const& columns) {
  std::string headings = "| kernel | GPU |";
  std::string rule = "|---|---|";
  for (auto const& column : columns) {
    headings += std::string(" ") + column.front()->heading + " |";
    rule += column.front()->as == shown::text ? "---|" : "--:|";
  }
  return headings + " contract | lock |\n" + rule + "---|---|\n";
}

std::string table_row(kernel_on const& kernel, std::vector<std::string> const& cells, std::string const& kind) {
  std::string text = "| " + markdown::cell(kernel.first) + " | " + gpu_of(kernel) + " |";
  for (std::string const& cell : cells) text += (cell.empty() ? "" : " " + cell) + " |";
  return text + " " + kind + " |\n";
}

std::string describe_contracts(entry const& e, bool are_known) {
  std::string text;
  for (held_contract const& contract : e.contracts) {
    append(text, "; ",
           markdown::cell(contract.name) + ": " + words_of(contract.violation) + " (at most " +
               std::to_string(contract.limits.registers_allowed) + " registers, at least " +
               std::to_string(contract.limits.blocks_required) + " blocks)");
  }
  return !text.empty() ? text : are_known ? "none" : "unknown";
}

/// The rows of the table of all kernels.
std::vector<std::string> table_rows(report_contents const& contents) {
  auto const columns = table_columns();
  auto const kinds = kinds_of(contents.differences);
  std::vector<std::string> rows;
  for (auto const& [kernel, e] : contents.kernels.entries) {
    std::vector<std::string> cells;
    for (auto const& column : columns) {
      std::string cell;
      for (field const* each : column) append(cell, "/", value_of(*each, e));
      cells.push_back(cell);
    }
    cells.push_back(describe_contracts(e, contents.checks_compiled));
    rows.push_back(table_row(kernel, cells, kind_of(kinds, kernel)));
  }
  for (difference const& d : contents.differences) {
    if (d.kind == "GONE") rows.push_back(table_row(d.kernel, std::vector<std::string>(columns.size() + 1), d.kind));
  }
  return rows;
}

std::vector<std::string> notes_of(measured_build const& build, report_contents const& contents) {
  std::vector<std::string> notes;
  if (!contents.checks_compiled) {
    notes.push_back(
        "\nThe CHECKS did not compile in this build. Contracts and block sizes are the last known ones: from the last "
        "build in which they compiled, or from the lock.\n");
  }
  for (int capability : build.not_measurable()) {
    notes.push_back("\ncompute_" + std::to_string(capability) + " has only PTX: not measurable.\n");
  }
  for (unused_on const& each : contents.unused) {
    notes.push_back("\n`on<sm<" + std::to_string(each.compute_capability) + ">>` of " + markdown::code(each.contract) +
                    ": no kernel is compiled for it.\n");
  }
  return notes;
}

/// The delta and the notes, and the table of all kernels as far as there is room for it.
std::string write_markdown(measure_request const& request, measured_build const& build, report_contents const& contents,
                           delta const& changes) {
  std::string const where = markdown::code(request.name + ".json");
  std::string text =
      "### " + markdown::code(request.name) + ", as " + markdown::code(request.compiler) + " compiled it\n\n";
  std::string const notes = markdown::lines_that_fit(notes_of(build, contents), 5000, where);
  std::size_t const frame = 500;  // of the table: its headings and the sentence that replaces it
  if (contents.has_lock) text += delta_markdown(changes, largest_comment - text.size() - notes.size() - frame, where);
  text += notes;
  std::vector<std::string> const rows = table_rows(contents);
  std::string table = table_head(table_columns());
  for (std::string const& row : rows) table += row;
  if (text.size() + table.size() + frame > largest_comment) {
    return text + "\nThe table of all kernels is too long for a comment: see " + where + ".\n";
  }
  std::string const summary = "All " + count_of(rows.size(), "row", "rows");
  return text + "\n" + (contents.has_lock ? markdown::folded(summary, table) : table);
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

json json_of_contracts(measure_request const& request, entry const& e, place_map const& places) {
  json list = json::array();
  for (held_contract const& contract : e.contracts) {
    source_place const& where = places.at(contract.name);
    json one = {{"name", contract.name}, {"file", request.within_root(where.file)}, {"line", where.line}};
    for (contract_field const& each : contract_fields) {
      if (each.json != nullptr) one[each.json] = each.in(contract.limits);
    }
    one["verdict"] = words_of(contract.violation);
    list.push_back(std::move(one));
  }
  return list;
}

std::string write_json(measure_request const& request, measured_build const& build, report_contents const& contents,
                       place_map const& places, delta const& changes) {
  json result = {{"version", 1}, {"target", request.name}, {"compiler", request.compiler}};
  if (!contents.checks_compiled) result["checks_compiled"] = false;
  result["not_understood_lines"] = build.ptxas.unknown_lines.size();
  result["not_measurable"] = build.not_measurable();
  json& not_mapped = result["not_mapped"] = json::array();
  std::set<std::string> seen;
  for (row const& each : build.ptxas.rows) {
    if (!seen.insert(each.symbol).second || !build.names.at(each.symbol).path.empty()) continue;
    not_mapped.push_back(each.key);
  }
  json& unused = result["unused_on"] = json::array();
  for (unused_on const& each : contents.unused) {
    unused.push_back({{"contract", each.contract}, {"compute_capability", each.compute_capability}});
  }
  std::map<std::string, row const*> rows;  // by key
  for (row const& each : build.ptxas.rows) rows.insert({each.key, &each});
  json& kernels = result["kernels"] = json::array();
  auto const kinds = kinds_of(contents.differences);
  for (auto const& [kernel, e] : contents.kernels.entries) {
    row const& found = *rows.at(kernel.first);
    json one = {{"kernel", kernel.first},
                {"name", found.name},
                {"symbol", found.symbol},
                {"compute_capability", kernel.second}};
    add_fields(e, one);
    one["lock"] = kind_of(kinds, kernel);
    one["contracts"] = json_of_contracts(request, e, places);
    kernels.push_back(std::move(one));
  }
  if (contents.has_lock) result["delta"] = json_of(changes);
  return text_of(result);
}

// ---- SARIF ----------------------------------------------------------------------------------------------------------

/// The place of each kernel: its own, or that of its first contract.
place_map with_contracts(place_map kernels, report_contents const& contents, place_map const& contracts) {
  for (auto const& [kernel, e] : contents.kernels.entries) {
    if (!e.contracts.empty()) kernels.insert({kernel.first, contracts.at(e.contracts[0].name)});
  }
  return kernels;
}

std::string write_sarif(measure_request const& request, report_contents const& contents, place_map const& contracts,
                        place_map const& kernels, delta const& changes) {
  std::vector<sarif_result> results;
  for (auto const& [kernel, e] : contents.kernels.entries) {
    for (held_contract const& contract : e.contracts) {
      if (contract.violation == warpguard::measured_violation::none) continue;
      sarif_result result{sarif_result::contract, true,
                          contract.name + ": " + words_of(contract.violation) + ": " + line_of(kernel, e), kernel.first,
                          contracts.at(contract.name)};
      auto const own = kernels.find(kernel.first);
      if (own != kernels.end()) {
        result.related = result.where;
        result.related_text = "the contract";
        result.where = own->second;
      }
      results.push_back(result);
    }
  }
  if (!contents.checks_compiled) {
    results.push_back({sarif_result::contract,
                       true,
                       "the CHECKS of " + request.name + " did not compile: see the build's output",
                       "",
                       {request.checks.empty() ? "" : request.checks.front(), 1}});
  }
  for (sarif_result const& each : sarif_results(changes, with_contracts(kernels, contents, contracts), request.lock)) {
    results.push_back(each);
  }
  return write_sarif(request, results);
}

}  // namespace

std::vector<std::string> report_files(measure_request const& request) {
  std::string const path = request.reports + "/" + request.name;
  return {path + ".md", path + ".json", path + ".sarif", path + ".html"};
}

void write_reports(measure_request const& request, measured_build const& build, report_contents const& contents) {
  place_map const contracts = places_of_contracts(request, contents.kernels.entries);
  place_map kernels;
  for (auto const& [kernel, place] : places_of_kernels(request, build)) {
    if (place.line > 0) kernels[kernel] = {place.file, place.line};
  }
  delta const changes = make_delta(contents.lock, contents.kernels, contents.differences, request.how_to_update());
  std::vector<std::string> const files = report_files(request);
  write_file(files[0], write_markdown(request, build, contents, changes));
  write_file(files[1], write_json(request, build, contents, contracts, changes));
  write_file(files[2], write_sarif(request, contents, contracts, kernels, changes));
  lock_history const history = contents.has_lock ? read_lock_history(request) : lock_history{};
  write_file(files[3], write_page(request.name, contents.kernels, changes, history));
}

}  // namespace measure
