// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The reports: a markdown table, JSON and SARIF, all from the entries of the lock and their differences.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "build.hpp"
#include "lock.hpp"

namespace measure {

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

struct place {
  std::string file;
  int line = 1;
};

/// The path within the project, where it is in there: the same on every machine.
inline std::string within(std::string const& root, std::string const& path) {
  return !root.empty() && begins(path, root + "/") ? path.substr(root.size() + 1) : path;
}

/// SARIF's artifactLocation, whose path is a URI.
inline std::string location(std::string const& root, std::string const& path) {
  std::string const relative = within(root, path);
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

/// Where a contract is written: the line of `struct <name>` in a CHECKS file or a file beside it that it includes, or
/// else the line of the CHECKS file that names it.
inline place place_of(request const& asked, std::string contract) {
  contract.resize(std::min(contract.size(), contract.find('<')));
  std::size_t const scope = contract.rfind("::");
  if (scope != std::string::npos) contract = contract.substr(scope + 2);
  place mentioned;
  auto const names_it = [&](std::string const& line, std::size_t at) {
    auto const in_word = [&](std::size_t i) { return i < line.size() && (is_letter(line[i]) || is_digit(line[i])); };
    return at != std::string::npos && (at == 0 || !in_word(at - 1)) && !in_word(at + contract.size());
  };
  for (std::string const& check : asked.checks) {
    std::vector<std::string> files{check};
    for (std::size_t f = 0; f < files.size() && f < 200; ++f) {
      std::string const file = files[f];
      std::string text;
      if (!read_file(file, text)) continue;
      int number = 0;
      for (std::string const& line : lines_of(text)) {
        ++number;
        std::size_t const at = line.find(contract);
        if (names_it(line, at)) {
          if (begins(line, "struct ") && at == 7) return {file, number};
          if (mentioned.file.empty() && f == 0) mentioned = {file, number};
        }
        if (begins(line, "#include \"")) {
          std::size_t const close = line.find('"', 10);
          std::string const included = file.substr(0, file.rfind('/') + 1) + line.substr(10, close - 10);
          if (std::find(files.begin(), files.end(), included) == files.end()) files.push_back(included);
        }
      }
    }
  }
  return mentioned;
}

inline void write_reports(request const& asked, measured_build const& build, std::map<kernel_on, entry> const& entries,
                          std::vector<difference> const& differences) {
  std::map<kernel_on, std::string> changes;
  for (difference const& d : differences) changes.emplace(d.kernel, d.kind);

  std::string table =
      "### " + asked.name + ", as " + asked.compiler +
      " compiled it\n\n"
      "| kernel | GPU | registers | static shared memory | spills | blocks per SM | occupancy | limited by | "
      "contract | lock |\n|---|---|--:|--:|--:|--:|--:|---|---|---|\n";
  std::string data = "{\n  \"version\": 1,\n  \"target\": " + json(asked.name) +
                     ",\n  \"compiler\": " + json(asked.compiler) +
                     ",\n  \"not_understood_lines\": " + std::to_string(build.said.unknown_lines.size()) +
                     ",\n  \"not_measurable\": [";
  std::string list;
  for (int capability : build.unmeasurable) {
    if (build.real.count(capability) == 0) list += (list.empty() ? "" : ", ") + std::to_string(capability);
  }
  data += list + "],\n  \"not_mapped\": [";
  list.clear();
  std::set<std::string> seen;
  for (row const& each : build.said.rows) {
    if (seen.insert(each.symbol).second && name_of(each.symbol).path.empty()) {
      list += (list.empty() ? "" : ", ") + json(key_of(each.symbol));
    }
  }
  data += list + "],\n  \"kernels\": [";
  std::string results;
  auto const add_result = [&](std::string const& rule, std::string const& text, place const& where, bool error) {
    results += std::string(results.empty() ? "" : ",") + "\n      {\"ruleId\": " + json(rule) +
               ", \"level\": " + (error ? "\"error\"" : "\"note\"") + ", \"message\": {\"text\": " + json(text) +
               "}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": " + location(asked.root, where.file) +
               ", \"region\": {\"startLine\": " + std::to_string(where.line) + "}}}]}";
  };

  std::map<std::string, place> places;
  bool first = true;
  for (auto const& [kernel, e] : entries) {
    std::string verdicts;
    std::string contracts;
    for (held_contract const& contract : e.contracts) {
      if (places.count(contract.name) == 0) places[contract.name] = place_of(asked, contract.name);
      place const& where = places[contract.name];
      verdicts += (verdicts.empty() ? "" : "; ") + contract.name + ": " + contract.verdict + " (at most " +
                  std::to_string(contract.registers_allowed) + " registers, at least " +
                  std::to_string(contract.blocks_required) + " blocks)";
      contracts += std::string(contracts.empty() ? "" : ", ") + "{\"name\": " + json(contract.name) +
                   ", \"file\": " + json(within(asked.root, where.file)) + ", \"line\": " + std::to_string(where.line) +
                   ", \"registers_allowed\": " + std::to_string(contract.registers_allowed) +
                   ", \"spill_budget\": " + std::to_string(contract.spill_budget) +
                   ", \"blocks_required\": " + std::to_string(contract.blocks_required) +
                   ", \"verdict\": " + json(contract.verdict) + "}";
      if (contract.verdict != "kept") {
        add_result("warpguard/contract", contract.name + ": " + contract.verdict + ": " + line_of(kernel, e), where,
                   true);
      }
    }
    std::string const gpu = "sm_" + std::to_string(kernel.second);
    auto const change = changes.find(kernel);
    std::string const lock = change == changes.end() ? "" : change->second;
    table += "| `" + markdown(kernel.first) + "` | " + gpu + " | " + std::to_string(e.registers) + " | " +
             std::to_string(e.static_shared_memory) + " | " + std::to_string(e.spill_stores) + "/" +
             std::to_string(e.spill_loads) + " | " + std::to_string(e.blocks) + " | " + percent(e.permille) + " | " +
             e.limiter + " | " + markdown(verdicts.empty() ? "none" : verdicts) + " | " + lock + " |\n";
    data += std::string(first ? "" : ",") + "\n    {\"kernel\": " + json(kernel.first) +
            ", \"compute_capability\": " + std::to_string(kernel.second) +
            ", \"registers\": " + std::to_string(e.registers) +
            ", \"static_shared_memory\": " + std::to_string(e.static_shared_memory) +
            ", \"spill_stores\": " + std::to_string(e.spill_stores) +
            ", \"spill_loads\": " + std::to_string(e.spill_loads) + ", \"stack\": " + std::to_string(e.stack) +
            ", \"barriers\": " + (e.barriers < 0 ? "null" : std::to_string(e.barriers)) +
            ", \"dynamic_shared_memory\": " + std::to_string(e.dynamic_shared_memory) +
            ", \"threads\": " + std::to_string(e.threads) +
            ", \"threads_stated\": " + (e.any_threads ? "false" : "true") +
            ", \"blocks_per_sm\": " + std::to_string(e.blocks) +
            ", \"occupancy_permille\": " + std::to_string(e.permille) + ", \"limited_by\": " + json(e.limiter) +
            ", \"flags\": " + json(e.flags) + ", \"bounds_ignored\": " + (e.bounds_ignored ? "true" : "false") +
            ", \"lock\": " + json(lock) + ", \"contracts\": [" + contracts + "]}";
    first = false;
  }
  for (difference const& d : differences) {
    if (d.kind == "UNBUILT" && !d.fails) continue;
    place where{asked.lock, 1};
    auto const found = entries.find(d.kernel);
    if (found != entries.end() && !found->second.contracts.empty()) where = places[found->second.contracts[0].name];
    add_result("warpguard/lock",
               d.kind + " " + d.kernel.first + " sm_" + std::to_string(d.kernel.second) + ": " + d.what, where,
               d.fails);
    if (d.kind == "GONE") {
      table +=
          "| `" + markdown(d.kernel.first) + "` | sm_" + std::to_string(d.kernel.second) + " | | | | | | | | GONE |\n";
    }
  }
  for (int capability : build.unmeasurable) {
    if (build.real.count(capability) == 0) {
      table += "\ncompute_" + std::to_string(capability) + " has only PTX: not measurable.\n";
    }
  }
  data += "\n  ]\n}\n";
  std::string const sarif =
      "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": "
      "[{\n"
      "    \"tool\": {\"driver\": {\"name\": \"warpguard\", \"rules\": [\n"
      "      {\"id\": \"warpguard/contract\", \"shortDescription\": {\"text\": \"ptxas broke a kernel's contract\"}},\n"
      "      {\"id\": \"warpguard/lock\", \"shortDescription\": {\"text\": \"a kernel differs from the lock\"}}]}},\n  "
      "  \"results\": [" +
      results + "]\n  }]\n}\n";
  write_file(asked.reports + "/" + asked.name + ".md", table);
  write_file(asked.reports + "/" + asked.name + ".json", data);
  write_file(asked.reports + "/" + asked.name + ".sarif", sarif);
}

}  // namespace measure
