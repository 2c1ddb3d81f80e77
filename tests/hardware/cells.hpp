// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Every cell of a row of the table, from the list of the Struct's members, so that no test can forget a member.

#pragma once

#include <boost/hana/accessors.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/fuse.hpp>
#include <boost/hana/string.hpp>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>
#include <warpguard/hana.hpp>

/// An int of a row: a member, or an element of an array.
struct number_cell {
  std::string name;
  std::function<int&(warpguard::architecture&)> in;
};

/// A cell that has two values: a rule, or an enumerator.
struct two_valued_cell {
  std::string name;
  std::function<bool(warpguard::architecture const&)> is_set;
  std::function<void(warpguard::architecture&)> flip;
};

struct cells {
  std::vector<number_cell> numbers;
  std::vector<two_valued_cell> two_valued;
};

struct named_rule {
  char const* name;
  unsigned flag;
};

inline constexpr named_rule every_rule[] = {{"fermi_unit", warpguard::allocation_rule::fermi_unit},
                                            {"partitioned", warpguard::allocation_rule::partitioned},
                                            {"gp100", warpguard::allocation_rule::gp100},
                                            {"carveouts", warpguard::allocation_rule::carveouts},
                                            {"barriers", warpguard::allocation_rule::barriers}};

inline cells cells_of_a_row() {
  cells result;
  boost::hana::for_each(
      boost::hana::accessors<warpguard::architecture>(), boost::hana::fuse([&result](auto name, auto read) {
        static constexpr auto member = decltype(read)::pointer;
        using type = std::remove_reference_t<decltype(std::declval<warpguard::architecture&>().*member)>;
        if constexpr (std::is_same_v<type, int>) {
          result.numbers.push_back({name.c_str(), [](auto& row) -> int& { return row.*member; }});
        } else if constexpr (std::is_array_v<type>) {
          for (std::size_t index = 0; index < std::extent_v<type>; ++index) {
            result.numbers.push_back({name.c_str() + ("[" + std::to_string(index) + "]"),
                                      [index](auto& row) -> int& { return (row.*member)[index]; }});
          }
        } else if constexpr (std::is_same_v<type, warpguard::granularity>) {
          result.two_valued.push_back(
              {name.c_str(), [](auto const& row) { return row.*member == warpguard::granularity::warp; },
               [](auto& row) {
                 bool const is_warp = row.*member == warpguard::granularity::warp;
                 row.*member = is_warp ? warpguard::granularity::block : warpguard::granularity::warp;
               }});
        } else {
          static_assert(std::is_same_v<decltype(member), unsigned warpguard::architecture::*const> &&
                            member == &warpguard::architecture::rules,
                        "this test does not know the type of a member");
          for (named_rule const& rule : every_rule) {
            result.two_valued.push_back({std::string("rule ") + rule.name,
                                         [rule](auto const& row) { return (row.*member & rule.flag) != 0; },
                                         [rule](auto& row) { row.*member ^= rule.flag; }});
          }
        }
      }));
  return result;
}
