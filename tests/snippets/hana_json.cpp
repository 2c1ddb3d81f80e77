// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/for_each.hpp>
#include <boost/hana/fuse.hpp>
#include <boost/hana/tuple.hpp>
#include <cstdio>
#include <string>
#include <warpguard/hana.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

template <class Value>
std::string json(Value const& value) {
  if constexpr (hana::Sequence<Value>::value) {
    std::string text;
    hana::for_each(value, [&text](auto const& each) { text += (text.empty() ? "[" : ", ") + json(each); });
    return text + "]";
  } else {
    return std::to_string(static_cast<int>(value));
  }
}

template <class Struct>
std::string json_of_members(Struct const& object) {
  std::string text;
  hana::for_each(object, hana::fuse([&text](auto name, auto const& value) {
                   text += (text.empty() ? "{\n  \"" : ",\n  \"") + std::string(name.c_str()) + "\": " + json(value);
                 }));
  return text + "\n}";
}

int main() { std::puts(json_of_members(wg::sm_75).c_str()); }
