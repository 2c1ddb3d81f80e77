// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The int members of a Struct, from its list of members, so that no test can forget one.

#pragma once

#include <boost/hana/accessors.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/fuse.hpp>
#include <boost/hana/string.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include <warpguard/hana.hpp>

template <class Struct>
struct int_member {
  std::string name;
  int Struct::*pointer;
};

template <class Struct>
std::vector<int_member<Struct>> int_members_of() {
  std::vector<int_member<Struct>> result;
  boost::hana::for_each(boost::hana::accessors<Struct>(), boost::hana::fuse([&result](auto name, auto read) {
                          static constexpr auto member = decltype(read)::pointer;
                          using type = std::remove_reference_t<decltype(std::declval<Struct&>().*member)>;
                          if constexpr (std::is_same_v<type, int>) result.push_back({name.c_str(), member});
                        }));
  return result;
}
