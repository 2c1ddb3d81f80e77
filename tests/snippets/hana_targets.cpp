// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/contains.hpp>
#include <boost/hana/difference.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/set.hpp>
#include <boost/hana/sort.hpp>
#include <cstdio>
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

constexpr wg::target_list<70, 75, 80, 86> last_release;

constexpr auto before = hana::to_set(last_release);
constexpr auto now = hana::to_set(wg::targets);
constexpr auto dropped = hana::difference(before, now);
constexpr auto added = hana::difference(now, before);

static_assert(hana::contains(wg::targets, wg::sm<75>{}), "we promised to support 7.5");

int main() {
  hana::for_each(hana::sort(hana::to_tuple(dropped)), [](auto architecture) {
    std::printf("no longer built for sm_%d\n", architecture.compute_capability);
  });
  hana::for_each(hana::sort(hana::to_tuple(added)),
                 [](auto architecture) { std::printf("now also built for sm_%d\n", architecture.compute_capability); });
}
