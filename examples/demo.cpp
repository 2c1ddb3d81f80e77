// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What every example's contract means on every target of the build, printed by plain C++ that no CUDA compiler sees.
/// The kernels and the targets are Hana sequences of types; everything printed is a constant.

#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/tuple.hpp>
#include <cstdio>
#include <string>
#include <type_traits>

#include "reduce_contract.hpp"
#include "saxpy_contract.hpp"
#include "tiled_matmul_contract.hpp"

namespace hana = boost::hana;

namespace {

constexpr auto kernels = hana::make_tuple(
    hana::make_pair("saxpy", saxpy_contract{}),                                        //
    hana::make_pair("reduce", reduce_contract{}),                                      //
    hana::make_pair("tiled_matmul<16>", tiled_matmul_contract<16>{}),                  //
    hana::make_pair("tiled_matmul<32>", tiled_matmul_contract<32>{}),                  //
    hana::make_pair("tiled_matmul_dynamic<16>", tiled_matmul_dynamic_contract<16>{}),  //
    hana::make_pair("tiled_matmul_dynamic<32>", tiled_matmul_dynamic_contract<32>{}),  //
    hana::make_pair("tiled_matmul<48>, which regression.cu asks for and does not get", tiled_matmul_contract<48>{}));

std::string limit(int blocks) { return blocks == wg::unlimited ? "-" : std::to_string(blocks); }

std::string names(wg::limiter set) {
  struct {
    wg::limiter limiter;
    char const* name;
  } const known[] = {{wg::limiter::warps, "warps"},
                     {wg::limiter::registers, "registers"},
                     {wg::limiter::shared_memory, "shared memory"},
                     {wg::limiter::block_slots, "block slots"},
                     {wg::limiter::barriers, "barriers"},
                     {wg::limiter::virtual_resources, "virtual resources"}};
  std::string result;
  for (auto const& each : known) {
    if (contains(set, each.limiter)) result += (result.empty() ? "" : ", ") + std::string(each.name);
  }
  return result;
}

template <class Contract, class Architecture>
void print_line() {
  using on = typename Contract::template on_sm<Architecture>;
  constexpr wg::occupancy now = on::residency;
  std::printf("  %-6s %7d %6d %6d  %7s %9s %6s %5s %8s  %6d %5d %8.1f %%  %s%s\n",
              ("sm_" + std::to_string(Architecture::compute_capability)).c_str(), on::threads_per_block,
              on::launch_min_blocks, on::max_registers, limit(now.blocks_by_warps).c_str(),
              limit(now.blocks_by_registers).c_str(), limit(now.blocks_by_shared_memory).c_str(),
              limit(now.blocks_by_block_slots).c_str(), limit(now.blocks_by_barriers).c_str(), now.blocks_per_sm,
              now.warps_per_sm, now.percent(), names(now.limited_by).c_str(),
              wg::is_kept_on<Contract, Architecture> ? "" : "  PROMISE BROKEN");
}

}  // namespace

// Refuses a build that names no targets, too.
static_assert(wg::guarantee<saxpy_contract> && wg::guarantee<reduce_contract>);

int main() {
  std::puts("         launch bounds registers          blocks per SM by                  resident");
  std::puts(
      "  GPU    threads blocks at most    warps registers shared slots barriers  blocks warps occupancy  limited by");
  hana::for_each(kernels, [](auto const& kernel) {
    using contract = std::decay_t<decltype(hana::second(kernel))>;
    std::printf("%s\n", hana::first(kernel));
    hana::for_each(wg::targets, [](auto target) { print_line<contract, decltype(target)>(); });
  });
  std::puts(
      "\nThis is what the contracts say. What ptxas used, the measured checks below say; what the driver of a GPU "
      "makes\n"
      "of a kernel, wg::verify; that the GPU is one of these, wg::launch. None of them says whether a kernel is fast:\n"
      "docs/limits.md.");
}
