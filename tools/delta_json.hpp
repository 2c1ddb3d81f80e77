// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A delta as JSON: every difference, with all numbers before and after.

#pragma once

#include <string>

#include "delta.hpp"
#include "delta_sentence.hpp"
#include "json.hpp"

namespace measure {

namespace detail {

inline json json_of(difference const& d) {
  json one = {{"kernel", d.kernel.first},
              {"compute_capability", d.kernel.second},
              {"kind", d.kind},
              {"fails", d.fails},
              {"details", d.details}};
  if (!d.former.first.empty()) one["former"] = d.former.first;
  if (!d.successor.first.empty()) one["perhaps_now"] = d.successor.first;
  std::string const fits = what_would_fit(d);
  if (!fits.empty()) one["what_fits"] = fits;
  if (d.then != nullptr) add_fields(*d.then, one["before"]);
  if (d.now != nullptr) add_fields(*d.now, one["after"]);
  return one;
}

}  // namespace detail

inline json json_of(delta const& changes) {
  json result = {{"before", {{"origin", changes.then_origin}, {"compiler", changes.then_compiler}}},
                 {"after", {{"origin", changes.now_origin}, {"compiler", changes.now_compiler}}},
                 {"kernels", changes.kernels},
                 {"compute_capabilities", changes.gpus},
                 {"sentences", delta_sentences(changes, [](std::string const& name) { return name; })}};
  json& differences = result["differences"] = json::array();
  for (difference const& d : changes.differences) differences.push_back(detail::json_of(d));
  return result;
}

/// Returns a delta as the text of a file.
inline std::string delta_json(delta const& changes) {
  json result = {{"version", 1}};
  result.update(json_of(changes));
  return text_of(result);
}

}  // namespace measure
