// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints the hardware table as lines of "capability member value", which ptxas_limits.cmake compares with ptxas.

#include <warpguard/hana.hpp>
#include <warpguard/hardware/table.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/fuse.hpp>
#include <boost/hana/tuple.hpp>

#include <cstdio>
#include <string>

namespace wg = warpguard;
namespace hana = boost::hana;

namespace {

std::string text_of(int value) { return std::to_string(value); }
std::string text_of(unsigned value) { return std::to_string(value); }
std::string text_of(wg::granularity value) { return value == wg::granularity::warp ? "warp" : "block"; }

/// The carve-outs: 0,8,16,32,64,100
template <class... Element>
std::string text_of(hana::tuple<Element...> const& values) {
  std::string text;
  hana::for_each(values, [&text](int value) {
    if (text.empty() || value != 0) text += (text.empty() ? "" : ",") + std::to_string(value);
  });
  return text;
}

}  // namespace

int main() {
  for (wg::architecture const* row : wg::architectures) {
    int const cc = row->compute_capability;
    hana::for_each(*row, hana::fuse([cc](auto name, auto const& value) {
      std::printf("%d %s %s\n", cc, name.c_str(), text_of(value).c_str());
    }));
  }
}
