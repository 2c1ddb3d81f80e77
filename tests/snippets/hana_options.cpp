// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/all_of.hpp>
#include <boost/hana/contains.hpp>
#include <boost/hana/find.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/not.hpp>
#include <boost/hana/optional.hpp>
#include <boost/hana/or.hpp>
#include <boost/hana/tuple.hpp>
#include <cstdio>
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

struct saxpy : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {};
struct copy : wg::contract<wg::threads_per_block<256>> {};

constexpr auto registry = hana::make_tuple(saxpy{}, copy{});
constexpr auto registers = wg::kind<wg::option_kind::max_registers>;
constexpr auto minimum = wg::kind<wg::option_kind::minimum_residency>;

// A rule of this project: whoever promises a residency also limits the registers.
constexpr auto follows_the_rule = [](auto contract) {
  return !hana::contains(contract, minimum) || hana::contains(contract, registers);
};
static_assert(hana::all_of(registry, follows_the_rule));

constexpr auto value_of = [](auto option) { return option.value; };

int main() {
  hana::for_each(registry, [](auto contract) {
    std::printf("at most %d registers\n", hana::maybe(255, value_of, hana::find(contract, registers)));
  });
}
