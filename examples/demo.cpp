// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What every example's contract comes to on every target of the build, printed by plain C++ that no CUDA compiler
/// sees. The contracts and the targets are Hana sequences of types; everything printed is a constant.

#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>
#include <cstdio>
#include <string>

#include "cluster_histogram/cluster_histogram_contract.hpp"
#include "cooperative_reduce/cooperative_reduce_contract.hpp"
#include "free_bound/free_bound_contract.hpp"
#include "histogram/histogram_contract.hpp"
#include "persistent/persistent_contract.hpp"
#include "reduce/reduce_contract.hpp"
#include "saxpy/saxpy_contract.hpp"
#include "softmax/softmax_contract.hpp"
#include "stencil/stencil_contract.hpp"
#include "tiled_matmul/tiled_matmul_contract.hpp"
#include "transpose/transpose_contract.hpp"
#include "two_tiles/two_tiles_contract.hpp"
#include "warp_specialised/warp_specialised_contract.hpp"

namespace hana = boost::hana;

namespace {

template <class Contract>
struct row {
  char const* name;
  int only = 0;  // the compute capability that the kernel is for; 0: all

  template <class Architecture>
  std::string cell(Architecture) const {
    if (only != 0 && only != Architecture::compute_capability) return " -";
    if constexpr (!wg::is_kept_on<Contract, Architecture>) {
      return " refused";
    } else {
      constexpr wg::occupancy now = Contract::template on_sm<Architecture>::residency;
      char text[32];
      std::snprintf(text, sizeof text, "%2d %3.0f%% ", now.blocks_per_sm, now.percent());
      return text + letters(now.limited_by);
    }
  }

 private:
  static std::string letters(wg::limiter set) {
    std::string result;
    if (contains(set, wg::limiter::warps)) result += 'w';
    if (contains(set, wg::limiter::registers)) result += 'r';
    if (contains(set, wg::limiter::shared_memory)) result += 's';
    if (contains(set, wg::limiter::block_slots)) result += 'b';
    if (contains(set, wg::limiter::barriers)) result += 'n';
    if (contains(set, wg::limiter::virtual_resources)) result += 'v';
    return result;
  }
};

constexpr auto rows = hana::make_tuple(
    row<saxpy_contract>{"saxpy"}, row<reduce_contract>{"reduce"}, row<tiled_matmul_contract<32>>{"tiled_matmul<32>"},
    row<two_tiles_contract>{"two_tiles"}, row<transpose_contract>{"transpose"}, row<softmax_contract>{"softmax"},
    row<histogram_contract>{"histogram"}, row<stencil_contract>{"stencil"}, row<persistent_contract>{"persistent"},
    row<cooperative_reduce_contract>{"cooperative_reduce"}, row<forced_bound_contract>{"forced_bound"},
    row<cluster_histogram_contract>{"cluster_histogram", 90}, row<warp_specialised_contract>{"warp_specialised", 90},
    row<tiled_matmul_contract<48>>{"tiled_matmul<48>"});  // regression.cu's

}  // namespace

// Refuses a build that names no targets, too.
static_assert(wg::guarantee<saxpy_contract> && wg::guarantee<reduce_contract>);

int main() {
  std::puts(
      "Contracts: blocks per SM and occupancy with all registers that they allow, and what limits them:\n"
      "(w)arps, (r)egisters, (s)hared memory, (b)lock slots, named barriers (n)");
  std::printf("%19s", "");
  hana::for_each(wg::targets, [](auto target) { std::printf(" sm_%-7d", decltype(target)::compute_capability); });
  hana::for_each(rows, [](auto const& row) {
    std::printf("\n%-19s", row.name);
    hana::for_each(wg::targets, [&](auto target) { std::printf("%-11s", row.cell(target).c_str()); });
  });
  std::puts("");
}
