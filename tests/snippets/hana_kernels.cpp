// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/all_of.hpp>
#include <boost/hana/at_key.hpp>
#include <boost/hana/contains.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/keys.hpp>
#include <boost/hana/map.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/remove_if.hpp>
#include <cstdio>
#include <type_traits>
#include <warpguard/warpguard.hpp>

#include "app.measured.hpp"

namespace wg = warpguard;
namespace hana = boost::hana;
namespace app = wg::measured::app;

struct small_scale : wg::contract<wg::threads_per_block<256>, wg::max_registers<32>> {};
struct large_scale : wg::contract<wg::threads_per_block<256>, wg::max_registers<64>> {};

constexpr auto contract_of = hana::make_map(hana::make_pair(app::scale::of_1{}, small_scale{}),
                                            hana::make_pair(app::scale::of_2{}, large_scale{}));

constexpr auto is_kept = [](auto kernel) {
  return wg::measured_guarantee<std::decay_t<decltype(contract_of[kernel])>, decltype(kernel)>;
};
static_assert(hana::all_of(hana::keys(contract_of), is_kept));

int main() {
  constexpr auto has_contract = [](auto kernel) { return hana::contains(contract_of, kernel); };
  hana::for_each(hana::remove_if(app::every_kernel{}, has_contract),
                 [](auto kernel) { std::printf("%s has no contract\n", kernel.name); });
}
