// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "read.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fields.hpp"
#include "log.hpp"
#include "names.hpp"
#include "text.hpp"

namespace measure {

namespace {

/// The measured fields that have a name in JSON.
std::vector<field const*> shown_fields() {
  std::vector<field const*> shown;
  for (field const& each : fields) {
    if (each.is_measured && each.json != nullptr) shown.push_back(&each);
  }
  return shown;
}

void put(std::string const& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print_table(std::vector<found_kernel> const& kernels) {
  static constexpr char columns[] = "{:<7} {:>9} {:>7} {:>11} {:>6} {:>8}  {}\n";
  put(fmt::format(columns, "GPU", "registers", "static", "spills", "stack", "barriers", "kernel"));
  for (found_kernel const& each : kernels) {
    amounts const& numbers = each.numbers;
    put(fmt::format(
        columns, fmt::format("sm_{}", each.compute_capability), numbers.registers, numbers.static_shared_memory,
        fmt::format("{}/{}", numbers.spill_stores, numbers.spill_loads), numbers.stack,
        numbers.barriers < 0 ? "?" : std::to_string(numbers.barriers),
        printable(shortened(each.name)) + (numbers.bounds_ignored != 0 ? "  (launch bounds ignored)" : "")));
  }
}

void print_json(log_kernels const& found) {
  put(fmt::format("{{\n  \"version\": 1,\n  \"not_understood_lines\": {},\n  \"kernels\": [", found.unknown_lines));
  char const* separator = "\n    ";
  for (found_kernel const& each : found.all) {
    nlohmann::ordered_json one = {{"kernel", shortened(each.name)},
                                  {"name", each.name},
                                  {"symbol", each.symbol},
                                  {"compute_capability", each.compute_capability}};
    for (field const* member : shown_fields()) {
      int const number = each.numbers.*measured_member(*member);
      nlohmann::ordered_json& value = one[member->json];
      if (member->as == shown::flag) {
        value = number != 0;
      } else if (member->as == shown::number || number >= 0) {
        value = number;
      }
    }
    one["place"] = found.place_of(each);
    put(separator + one.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    separator = ",\n    ";
  }
  put("\n  ]\n}\n");
}

void print_csv(std::vector<found_kernel> const& kernels) {
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
  put(text + "\n");
  for (found_kernel const& each : kernels) {
    text = quoted(shortened(each.name)) + "," + quoted(each.symbol) + "," + std::to_string(each.compute_capability);
    for (field const* member : shown_fields()) {
      int const number = each.numbers.*measured_member(*member);
      bool const is_unknown = member->as == shown::number_or_unknown && number < 0;
      text += "," + (is_unknown ? "" : std::to_string(number));
    }
    put(text + "\n");
  }
}

}  // namespace

int print_kernels(read_options const& options) {
  failures unreadable;
  log_kernels const found = read_logs(options.logs, options.largest, unreadable);
  if (unreadable.count != 0) return exit_code::unreadable;
  if (options.json) {
    print_json(found);
  } else if (options.csv) {
    print_csv(found.all);
  } else {
    print_table(found.all);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    unreadable.add(std::string("cannot write standard output: ") + std::strerror(errno));
    return exit_code::unreadable;
  }
  if (found.unknown_lines != 0 && !options.json) {
    fmt::print(stderr, "warpguard: {} lines of ptxas and nvlink were not understood\n", found.unknown_lines);
  }
  return exit_code::fine;
}

}  // namespace measure
