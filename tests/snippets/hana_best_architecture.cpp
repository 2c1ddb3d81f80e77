// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/integral_constant.hpp>
#include <boost/hana/maximum.hpp>
#include <boost/hana/ordering.hpp>
#include <cstdio>
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

struct matmul
    : wg::contract<wg::threads_per_block<16, 16>, wg::static_shared_memory<24 * 1024>, wg::max_registers<40>> {};

constexpr auto resident_warps = [](auto architecture) {
  return hana::int_c<matmul::on_sm<decltype(architecture)>::warps_per_sm>;
};
constexpr auto best = hana::maximum(wg::targets, hana::ordering(resident_warps));

static_assert(best == wg::sm<90>{});

int main() {
  std::printf("most warps, %d, are resident on sm_%d\n", resident_warps(best).value, best.compute_capability);
}
