// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// JSON of a kernel's numbers.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fields.hpp"

namespace measure {

using json = nlohmann::ordered_json;

/// Adds all fields of an entry to an object.
inline void add_fields(entry const& e, json& object) {
  for (field const& each : fields) {
    if (each.json == nullptr) continue;
    json& value = object[each.json];
    if (each.as == shown::text) {
      value = e.*each.text;
    } else if (each.as == shown::number_or_unknown && e.*each.number < 0) {
      value = nullptr;
    } else if (each.as == shown::flag) {
      value = e.*each.number != 0;
    } else if (each.as == shown::percent) {
      value = e.*each.number / 100.0;
    } else {
      value = e.*each.number;
    }
    if (each.as == shown::threads) object["threads_stated"] = !e.any_threads;
  }
}

/// Returns the text of a file. A name that is not UTF-8 gets replacement characters.
inline std::string text_of(json const& value) {
  return value.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace measure
