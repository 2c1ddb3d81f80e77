// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What every example's contract comes to on every target of the build, printed by plain C++ that no CUDA compiler
/// sees. The contracts are a tuple of Boost.Hana and the targets a Sequence, so the table is two nested for_each. Both
/// are lists of types: whether a contract is kept is decided by the compiler, and everything printed is a constant.

#include <boost/hana/contains.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <cstdio>
#include <string>
#include <warpguard/warpguard.hpp>

#include "built_for_8_0/built_for_8_0_contract.hpp"
#include "cluster_histogram/cluster_histogram_contract.hpp"
#include "cooperative_reduce/cooperative_reduce_contract.hpp"
#include "free_bound/free_bound_contract.hpp"
#include "histogram/histogram_contract.hpp"
#include "persistent/persistent_contract.hpp"
#include "reduce/reduce_contract.hpp"
#include "row_sums/row_sums_contract.hpp"
#include "saxpy/saxpy_contract.hpp"
#include "softmax/softmax_contract.hpp"
#include "stencil/stencil_contract.hpp"
#include "tiled_matmul/tiled_matmul_contract.hpp"
#include "transpose/transpose_contract.hpp"
#include "tuned_reduce/tuned_reduce_contract.hpp"
#include "two_tiles/two_tiles_contract.hpp"
#include "warp_specialised/warp_specialised_contract.hpp"

namespace hana = boost::hana;

namespace {

/// A contract, its name in the table, and the architectures that its kernel is compiled for.
template <class Contract, class Architectures = wg::build_target_list>
struct entry {
  char const* name;
};

constexpr auto registry = hana::make_tuple(
    entry<saxpy_contract>{"saxpy"}, entry<reduce_contract>{"reduce"},
    entry<tiled_matmul_contract<32>>{"tiled_matmul<32>"}, entry<two_tiles_contract>{"two_tiles"},
    entry<transpose_contract>{"transpose"}, entry<softmax_contract>{"softmax"}, entry<histogram_contract>{"histogram"},
    entry<stencil_contract>{"stencil"}, entry<persistent_contract>{"persistent"},
    entry<cooperative_reduce_contract>{"cooperative_reduce"}, entry<forced_bound_contract>{"forced_bound"},
    entry<row_sums_contract>{"row_sums"}, entry<tuned_reduce_contract<float>>{"tuned_reduce<float>"},
    entry<built_for_8_0_contract, wg::target_list<80>>{"built_for_8_0"},
    entry<cluster_histogram_contract, wg::target_list<90>>{"cluster_histogram"},
    entry<warp_specialised_contract, wg::target_list<90>>{"warp_specialised"},
    entry<tiled_matmul_contract<48>>{"tiled_matmul<48>"});  // regression.cu's

std::string letters_of(wg::limiter set) {
  constexpr struct {
    wg::limiter one;
    char letter;
  } letters[] = {{wg::limiter::warps, 'w'},       {wg::limiter::registers, 'r'}, {wg::limiter::shared_memory, 's'},
                 {wg::limiter::block_slots, 'b'}, {wg::limiter::barriers, 'n'},  {wg::limiter::virtual_resources, 'v'}};
  std::string result;
  for (auto const& each : letters) {
    if (wg::contains(set, each.one)) result += each.letter;
  }
  return result;
}

/// What stands in the table for a contract on an architecture.
template <class Contract, class Architectures, class Architecture>
std::string cell(entry<Contract, Architectures> const&, Architecture architecture) {
  if constexpr (!decltype(hana::contains(Architectures{}, architecture))::value) {
    return " -";
  } else if constexpr (!wg::is_kept_on<Contract, Architecture>) {
    return " refused";
  } else {
    constexpr wg::occupancy now = Contract::template on_sm<Architecture>::residency;
    char text[32];
    std::snprintf(text, sizeof text, "%2d %3.0f%% ", now.blocks_per_sm, now.percent());
    return text + letters_of(now.limited_by);
  }
}

}  // namespace

// Refuses a build that names no targets, too.
static_assert(wg::guarantee<saxpy_contract> && wg::guarantee<reduce_contract>);

int main() {
  std::puts(
      "Contracts: blocks per SM and occupancy with all registers that they allow, and what limits them:\n"
      "(w)arps, (r)egisters, (s)hared memory, (b)lock slots, named barriers (n)");
  std::printf("%19s", "");
  hana::for_each(wg::targets, [](auto architecture) { std::printf(" sm_%-7d", architecture.compute_capability); });
  hana::for_each(registry, [](auto const& each) {
    std::printf("\n%-19s", each.name);
    hana::for_each(wg::targets, [&](auto architecture) { std::printf("%-11s", cell(each, architecture).c_str()); });
  });
  std::puts("");
}
