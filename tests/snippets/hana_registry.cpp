// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <cstdio>
#include <string>
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

struct saxpy : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {
  static constexpr char const* name = "saxpy";
};
struct softmax : wg::contract<wg::threads_per_block<512>, wg::max_registers<64>, wg::min_blocks_per_sm<2>> {
  static constexpr char const* name = "softmax";
};
struct matmul : wg::contract<wg::threads_per_block<16, 16>, wg::static_shared_memory<40000>, wg::max_registers<96>,
                             wg::min_blocks_per_sm<2>> {
  static constexpr char const* name = "matmul";
};

constexpr auto registry = hana::make_tuple(saxpy{}, softmax{}, matmul{});

template <class Contract, class Architecture>
std::string cell(Contract, Architecture) {
  if (!wg::is_kept_on<Contract, Architecture>) return "refused";
  constexpr wg::occupancy now = Contract::template on_sm<Architecture>::residency;
  return std::to_string(now.blocks_per_sm) + " blocks, " + std::to_string(now.warps_per_sm) + " warps";
}

int main() {
  std::printf("%8s", "");
  hana::for_each(wg::targets, [](auto architecture) { std::printf("%17s%d", "sm_", architecture.compute_capability); });
  hana::for_each(registry, [](auto contract) {
    std::printf("\n%-8s", contract.name);
    hana::for_each(wg::targets, [&](auto architecture) { std::printf("%19s", cell(contract, architecture).c_str()); });
  });
  std::puts("");
}
