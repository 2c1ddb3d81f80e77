// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints the hardware table as lines of "capability member value". Each argument THREADS:BLOCKS adds a line
/// "capability cap THREADS:BLOCKS value" with the register cap of each row. ptxas_limits.cmake compares these numbers
/// with ptxas.

#include <warpguard/hana.hpp>
#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/fuse.hpp>
#include <boost/hana/tuple.hpp>

#include <cstdio>
#include <cstdlib>
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

int main(int argc, char** argv) {
  for (wg::architecture const* row : wg::architectures) {
    int const cc = row->compute_capability;
    hana::for_each(*row, hana::fuse([cc](auto name, auto const& value) {
      std::printf("%d %s %s\n", cc, name.c_str(), text_of(value).c_str());
    }));
    // ptxas assumes four sub-partitions for 6.0, as for 6.1 (docs/how-occupancy-works.md).
    wg::architecture const& as_ptxas_has = cc == 60 ? wg::sm_61 : *row;
    for (int i = 1; i < argc; ++i) {
      char* rest = nullptr;
      int const threads = static_cast<int>(std::strtol(argv[i], &rest, 10));
      int const blocks = *rest == ':' ? static_cast<int>(std::strtol(rest + 1, nullptr, 10)) : 0;
      std::printf("%d cap %s %d\n", cc, argv[i], wg::max_registers_per_thread(as_ptxas_has, threads, blocks));
    }
  }
}
