// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints docs/architectures.md: every member of every architecture. The values come from the table, and the meaning of
/// each member from its comment in architecture.hpp.
///
///     print_architectures <repository>/include/warpguard/hardware/architecture.hpp

#include <algorithm>
#include <boost/hana/at_key.hpp>
#include <boost/hana/concat.hpp>
#include <boost/hana/equal.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/keys.hpp>
#include <boost/hana/prepend.hpp>
#include <boost/hana/set.hpp>
#include <boost/hana/size.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>
#include <warpguard/hana.hpp>
#include <warpguard/hardware/table.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

namespace {

// ---- Which member stands in which table -----------------------------------------------------------------------------

constexpr auto threads = hana::make_tuple(
    BOOST_HANA_STRING("warp_size"), BOOST_HANA_STRING("max_threads_per_block"), BOOST_HANA_STRING("max_warps_per_sm"),
    BOOST_HANA_STRING("max_threads_per_sm"), BOOST_HANA_STRING("max_blocks_per_sm"));
constexpr auto registers =
    hana::make_tuple(BOOST_HANA_STRING("registers_per_sm"), BOOST_HANA_STRING("max_registers_per_block"),
                     BOOST_HANA_STRING("max_registers_per_thread"), BOOST_HANA_STRING("register_allocation_unit"),
                     BOOST_HANA_STRING("register_allocation_granularity"),
                     BOOST_HANA_STRING("warp_allocation_granularity"), BOOST_HANA_STRING("sub_partitions"));
constexpr auto shared_memory =
    hana::make_tuple(BOOST_HANA_STRING("shared_memory_per_sm"), BOOST_HANA_STRING("max_shared_per_block_default"),
                     BOOST_HANA_STRING("max_shared_per_block_optin"), BOOST_HANA_STRING("shared_allocation_unit"),
                     BOOST_HANA_STRING("reserved_shared_per_block"), BOOST_HANA_STRING("carveouts_kb"));
constexpr auto others =
    hana::make_tuple(BOOST_HANA_STRING("named_barriers_per_block"), BOOST_HANA_STRING("block_barriers_per_sm"),
                     BOOST_HANA_STRING("max_cluster_portable"), BOOST_HANA_STRING("max_cluster_nonportable"),
                     BOOST_HANA_STRING("virtual_resources_per_sm"), BOOST_HANA_STRING("rules"));

constexpr auto in_tables =
    hana::prepend(hana::concat(hana::concat(threads, registers), hana::concat(shared_memory, others)),
                  BOOST_HANA_STRING("compute_capability"));
static_assert(hana::to_set(in_tables) == hana::to_set(hana::keys(wg::sm_90)), "a member is in no table of this file");
static_assert(hana::size(in_tables) == hana::size(hana::keys(wg::sm_90)), "a member is in two tables of this file");

// ---- Values as text -------------------------------------------------------------------------------------------------

std::string text_of(int value) { return std::to_string(value); }

std::string text_of(wg::granularity value) { return value == wg::granularity::warp ? "warp" : "block"; }

/// The carve-outs: zeros follow the largest one.
template <class... Element>
std::string text_of(hana::tuple<Element...> const& values) {
  std::string text;
  hana::for_each(values, [&text](int value) {
    if (text.empty()) {
      text = std::to_string(value);
    } else if (value > 0) {
      text += ", " + std::to_string(value);
    }
  });
  return text;
}

std::string text_of(unsigned rules) {
  static constexpr struct {
    char const* name;
    unsigned flag;
  } known[] = {{"fermi_unit", wg::allocation_rule::fermi_unit},
               {"partitioned", wg::allocation_rule::partitioned},
               {"gp100", wg::allocation_rule::gp100},
               {"carveouts", wg::allocation_rule::carveouts},
               {"barriers", wg::allocation_rule::barriers}};
  std::string text;
  for (auto const& rule : known) {
    if ((rules & rule.flag) == 0) continue;
    text += text.empty() ? "" : ", ";
    text += rule.name;
    rules &= ~rule.flag;
  }
  if (rules != 0) {
    std::fprintf(stderr, "this program does not know the rule %u\n", rules);
    std::exit(EXIT_FAILURE);
  }
  return text.empty() ? "none" : text;
}

std::string version_of(wg::architecture const& arch) {
  return std::to_string(arch.compute_capability / 10) + "." + std::to_string(arch.compute_capability % 10);
}

// ---- What members mean ----------------------------------------------------------------------------------------------

/// The lines of `struct architecture`. Each member has a line of its own, with its comment beside it or above it.
std::vector<std::string> lines_of_struct(char const* path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "};") inside = false;
    if (inside) lines.push_back(line);
    if (line == "struct architecture {") inside = true;
  }
  return lines;
}

std::string text_after(std::string const& marker, std::string const& line) {
  std::string::size_type const at = line.find(marker);
  return at == std::string::npos ? "" : line.substr(at + marker.size());
}

/// The comment of a member; empty if it has none.
std::string meaning_of(std::string const& member, std::vector<std::string> const& lines) {
  std::string before;
  for (std::string const& line : lines) {
    std::string::size_type const name = line.find(" " + member);
    if (name != std::string::npos && line.find_first_of(";[", name) == name + 1 + member.size()) {
      std::string const beside = text_after("///< ", line);
      return beside.empty() ? text_after("/// ", before) : beside;
    }
    before = line;
  }
  return "";
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

/// A heading that a browser may break into lines.
std::string with_spaces(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// One column: a member with its values on all architectures.
struct column {
  std::string name;
  std::vector<std::string> values;
  bool varies = false;
};

template <class Name>
column column_of(Name name) {
  column result{name.c_str(), {}, false};
  for (wg::architecture const* row : wg::architectures) {
    result.values.push_back(text_of(hana::at_key(*row, name)));
    result.varies = result.varies || result.values.back() != result.values.front();
  }
  return result;
}

template <class Names>
void print_table(char const* title, Names const& names, std::vector<std::string> const& lines) {
  std::printf("\n## %s\n\n", title);
  std::vector<column> columns;
  hana::for_each(names, [&](auto name) {
    column const each = column_of(name);
    std::string const meaning = meaning_of(each.name, lines);
    if (meaning.empty()) {
      std::fprintf(stderr, "the line of %s in struct architecture has no comment\n", each.name.c_str());
      std::exit(EXIT_FAILURE);
    }
    std::printf("- `%s`: %s", each.name.c_str(), meaning.c_str());
    if (!each.varies) std::printf(" (%s on every architecture)", each.values.front().c_str());
    std::printf("\n");
    if (each.varies) columns.push_back(each);
  });

  std::string heading = "\n| |";
  std::string rule = "\n|--:|";
  for (column const& each : columns) {
    heading += " " + with_spaces(each.name) + " |";
    rule += "--:|";
  }
  std::printf("%s%s\n", heading.c_str(), rule.c_str());
  std::size_t index = 0;
  for (wg::architecture const* row : wg::architectures) {
    std::printf("| %s |", version_of(*row).c_str());
    for (column const& each : columns) std::printf(" %s |", each.values[index].c_str());
    std::printf("\n");
    ++index;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s <repository>/include/warpguard/hardware/architecture.hpp\n", argv[0]);
    return 2;
  }
  std::vector<std::string> const lines = lines_of_struct(argv[1]);
  std::printf(
      "# Architectures\n\n"
      "<!-- Printed by tests/docs/print_architectures.cpp. To refresh it: cmake --build <build> --target refresh_docs "
      "-->\n\n"
      "These are the limits of the %zu compute capabilities that warpguard knows. In C++ the row of 9.0 is "
      "`wg::sm_90`, "
      "and\neach column is a member of it: `wg::sm_90.max_warps_per_sm`. [Sources](sources.md) says where each number "
      "comes from.\n\n"
      "- [Threads, warps and blocks](#threads-warps-and-blocks)\n"
      "- [Registers](#registers)\n"
      "- [Shared memory](#shared-memory)\n"
      "- [Barriers, clusters and rules](#barriers-clusters-and-rules)\n",
      sizeof wg::architectures / sizeof wg::architectures[0]);
  print_table("Threads, warps and blocks", threads, lines);
  print_table("Registers", registers, lines);
  print_table("Shared memory", shared_memory, lines);
  print_table("Barriers, clusters and rules", others, lines);
  std::printf(
      "\nThe rules are described at `allocation_rule` in "
      "[architecture.hpp](../include/warpguard/hardware/architecture.hpp).\n");
}
