// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "list_gpus.hpp"

#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>
#include <cctype>
#include <string>
#include <type_traits>
#include <vector>
#include <warpguard/hana/structs.hpp>
#include <warpguard/hardware/find_device.hpp>
#include <warpguard/hardware/table.hpp>

#include "gpus.hpp"
#include "table.hpp"

namespace measure {

namespace {

namespace wg = warpguard;
namespace hana = boost::hana;

/// The rules of an architecture by their names in `allocation_rule`.
std::string names_of_rules(unsigned rules) {
  struct {
    char const* name;
    unsigned flag;
  } const known[] = {{"fermi_unit", wg::allocation_rule::fermi_unit},
                     {"partitioned", wg::allocation_rule::partitioned},
                     {"gp100", wg::allocation_rule::gp100},
                     {"carveouts", wg::allocation_rule::carveouts},
                     {"barriers", wg::allocation_rule::barriers}};
  std::string text;
  for (auto const& rule : known) {
    if ((rules & rule.flag) != 0) append(text, " ", rule.name);
  }
  return text;
}

table_row value_of(char const* text) { return text != nullptr ? table_row(text) : table_row(nullptr); }
table_row value_of(int number) { return number; }
table_row value_of(unsigned rules) { return names_of_rules(rules); }
table_row value_of(wg::granularity unit) { return unit == wg::granularity::warp ? "warp" : "block"; }
template <class Tuple>
table_row value_of(Tuple const& carveouts) {
  std::string text;
  int before = -1;
  hana::for_each(carveouts, [&](int carveout) {
    if (carveout > before) append(text, " ", std::to_string(carveout));
    before = carveout;
  });
  return text;
}

/// Whether 0 says that a number is not known. In a product it always does.
bool is_unknown(wg::product const&, std::string const&, table_row const& value) { return value == 0; }
bool is_unknown(wg::architecture const&, std::string const& name, table_row const& value) {
  return value == 0 && (name == "block_barriers_per_sm" || name == "max_cluster_nonportable");
}

/// What stands for the numbers of a product where the user names only an architecture.
table_row absent_in(query_format format) { return format == query_format::json ? table_row(nullptr) : table_row("-"); }

/// Adds every member of a product or an architecture. Without an object, adds `absent` for each.
template <class Struct>
void add_members(Struct const* object, table_row& row, table_row const& absent = nullptr) {
  static constexpr Struct none{};
  hana::for_each(hana::accessors<Struct>(), [&](auto const& member) {
    std::string const name = hana::first(member).c_str();
    if (row.contains(name)) return;
    table_row const value = value_of(hana::second(member)(object != nullptr ? *object : none));
    row[name] = object == nullptr ? absent : is_unknown(*object, name, value) ? table_row(nullptr) : value;
  });
}

table_row row_of(wg::architecture const& arch) {
  table_row row;
  add_members(&arch, row);
  return row;
}
/// A product, or else only an architecture, with all that is known about both.
table_row whole_row(wg::product const* product, wg::architecture const& arch, query_format format) {
  table_row row;
  add_members(product, row, absent_in(format));
  if (product == nullptr) row["name"] = "sm_" + std::to_string(arch.compute_capability);
  row["compute_capability"] = arch.compute_capability;
  add_members(&arch, row);
  return row;
}

// ---- the list -------------------------------------------------------------------------------------------------------

std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<table_row> rows_of_list(gpus_options const& options) {
  std::vector<table_row> rows;
  if (options.architectures) {
    for (wg::architecture const* arch : wg::architectures) {
      if (options.arch == nullptr || options.arch == arch) rows.push_back(row_of(*arch));
    }
    return rows;
  }
  bool const is_for_people = options.format == query_format::text || options.format == query_format::markdown;
  for (wg::product const& product : wg::products) {
    wg::architecture const* const arch = wg::find_architecture(product.compute_capability);
    if (options.arch != nullptr && options.arch != arch) continue;
    if (!has(in_lower_case(std::string(product.name) + "," + product.other_names), in_lower_case(options.filter))) {
      continue;
    }
    table_row row = whole_row(&product, *arch, options.format);
    if (is_for_people) {
      row = {};
      add_members(&product, row);
      row.erase("other_names");
    }
    rows.push_back(row);
  }
  return rows;
}

// ---- side by side ---------------------------------------------------------------------------------------------------

/// Adds the GPUs that a name means. Returns an error message, or an empty string.
std::string add_named(std::string const& name, query_format format, std::vector<table_row>& gpus) {
  named_gpu gpu;
  std::string error = read_gpu(name, gpu);
  if (!error.empty()) return error;
  if (gpu.product != nullptr || gpu.products.empty()) {
    gpus.push_back(whole_row(gpu.product, *gpu.arch, format));
    return "";
  }
  wg::device_matches const found = wg::find_devices(name.c_str());
  for (int i = 0; i < found.count; ++i) gpus.push_back(whole_row(found.devices[i], *gpu.arch, format));
  return "";
}

/// A row for each number, a column for each GPU, and whether the number differs.
std::vector<table_row> side_by_side(std::vector<table_row> const& gpus) {
  std::vector<table_row> rows;
  for (auto const& [name, value] : gpus.front().items()) {
    if (name == "name" || name == "other_names") continue;
    table_row row = {{"number", name}};
    bool differs = false;
    for (table_row const& gpu : gpus) {
      row[gpu["name"].get<std::string>()] = gpu[name];
      differs = differs || gpu[name] != value;
    }
    if (gpus.size() > 1) row["differs"] = differs ? "differs" : "";
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

int print_gpus(gpus_options const& options) {
  failures failed;
  std::vector<table_row> rows;
  for (std::string const& name : options.compared) {
    std::string const error = add_named(name, options.format, rows);
    if (!error.empty()) failed.add(error);
  }
  if (failed.count != 0) return exit_code::wrong_use;
  if (options.compared.empty()) {
    rows = rows_of_list(options);
  } else if (options.format == query_format::text || options.format == query_format::markdown) {
    rows = side_by_side(rows);
  }
  if (rows.empty()) {
    failed.add("no GPU is like this: `warpguard gpus` lists all");
    return exit_code::wrong_use;
  }
  print_table("gpus", rows, options.format);
  return end_output();
}

}  // namespace measure
