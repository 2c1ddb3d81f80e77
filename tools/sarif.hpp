// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Results in the format SARIF 2.1.0, which forges show beside the lines of a pull request.

#pragma once

#include <cstdio>
#include <string>
#include <vector>
#include <warpguard/version.hpp>

#include "contract_place.hpp"
#include "delta.hpp"
#include "json.hpp"

namespace measure {

/// A result. The first place is where it is shown; the related one may be empty.
struct sarif_result {
  enum rule_index { contract, lock } rule;
  bool is_error;
  std::string text;
  std::string kernel;  // empty: of no kernel
  source_place where;
  source_place related{};
  std::string related_text{};
};

namespace detail {

/// SARIF's artifactLocation, whose path is a URI.
inline json sarif_file(measure_request const& request, std::string const& path) {
  std::string uri;
  for (char c : request.within_root(path)) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || has("/._-~", std::string(1, c))) {
      uri += c;
    } else {
      char buffer[4];
      std::snprintf(buffer, sizeof buffer, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
      uri += buffer;
    }
  }
  if (begins(uri, "/")) return {{"uri", "file://" + uri}};
  return {{"uri", uri}, {"uriBaseId", "SRCROOT"}};
}

inline json sarif_place(measure_request const& request, source_place const& place) {
  return {{"artifactLocation", sarif_file(request, place.file)}, {"region", {{"startLine", std::max(place.line, 1)}}}};
}

inline json sarif_of(measure_request const& request, sarif_result const& result) {
  char const* const rules[] = {"warpguard/contract", "warpguard/lock"};
  json one = {{"ruleId", rules[result.rule]},
              {"ruleIndex", static_cast<int>(result.rule)},
              {"level", result.is_error ? "error" : "note"},
              {"message", {{"text", result.text}}}};
  json location = json::object();
  if (!result.where.file.empty()) location["physicalLocation"] = sarif_place(request, result.where);
  if (!result.kernel.empty()) {
    location["logicalLocations"] = json::array({{{"fullyQualifiedName", result.kernel}, {"kind", "function"}}});
  }
  if (!location.empty()) one["locations"] = json::array({location});
  if (!result.related.file.empty()) {
    one["relatedLocations"] = json::array({{{"id", 1},
                                            {"physicalLocation", sarif_place(request, result.related)},
                                            {"message", {{"text", result.related_text}}}}});
  }
  return one;
}

}  // namespace detail

/// Returns the rows of a delta as results, but for exceptions. A kernel without a place is shown in the file
/// `otherwise`, such as the lock.
inline std::vector<sarif_result> sarif_results(delta const& changes, place_map const& kernels,
                                               std::string const& otherwise) {
  std::vector<sarif_result> results;
  for (delta_row const& row : changes.rows) {
    difference const& d = row.first;
    std::string text = d.kind + " " + d.kernel.first + " on " + capability_names(row.gpus) + ": " + d.details;
    if (!row.fits.empty()) text += ". What fits: " + row.fits;
    auto const found = kernels.find(d.kernel.first);
    results.push_back(
        {sarif_result::lock, d.fails, text, d.kernel.first,
         found != kernels.end() && !found->second.file.empty() ? found->second : source_place{otherwise, 1}});
  }
  return results;
}

/// Returns the text of a SARIF file. Paths in the root of the request are relative to it.
inline std::string write_sarif(measure_request const& request, std::vector<sarif_result> const& results) {
  json rules = json::array();
  rules.push_back({{"id", "warpguard/contract"}, {"shortDescription", {{"text", "ptxas broke a kernel's contract"}}}});
  rules.push_back({{"id", "warpguard/lock"}, {"shortDescription", {{"text", "a kernel differs from the lock"}}}});
  json list = json::array();
  for (sarif_result const& result : results) list.push_back(detail::sarif_of(request, result));
  std::string const version = std::to_string(WARPGUARD_VERSION_MAJOR) + "." + std::to_string(WARPGUARD_VERSION_MINOR) +
                              "." + std::to_string(WARPGUARD_VERSION_PATCH);
  json const driver = {{"name", "warpguard"}, {"semanticVersion", version}, {"rules", rules}};
  json const run = {{"tool", {{"driver", driver}}}, {"results", list}};
  return text_of({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", json::array({run})}});
}

}  // namespace measure
