// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/at_key.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/map.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/unpack.hpp>
#include <cstdio>
#include <type_traits>
#include <warpguard/warpguard.hpp>

namespace wg = warpguard;
namespace hana = boost::hana;

struct a_tile;
struct b_tile;
template <int Tile>
using tiles =
    wg::shared_layout<wg::shared_array<a_tile, float[Tile], Tile>, wg::shared_array<b_tile, float[Tile], Tile>>;

// The largest tile with which two blocks are resident, for each target.
constexpr auto tile_of = hana::to_map(hana::transform(wg::targets, [](auto architecture) {
  return hana::make_pair(architecture, hana::int_c<wg::max_tile<decltype(architecture), tiles, 2, 16, 32, 48, 64, 80>>);
}));
static_assert(tile_of[wg::sm<75>{}] == hana::int_c<64>);

// The contract: an option `on<...>` for each target.
template <class Architecture>
using tiles_on = wg::on<Architecture, wg::dynamic_shared_memory_of<tiles<tile_of[Architecture{}].value>>>;
constexpr auto make_contract = [](auto... architecture) {
  return wg::contract<wg::threads_per_block<256>, wg::max_registers<64>, wg::min_blocks_per_sm<2>,
                      tiles_on<decltype(architecture)>...>{};
};
constexpr auto contract_of_tiles = hana::unpack(wg::targets, make_contract);
struct matmul : std::decay_t<decltype(contract_of_tiles)> {};

static_assert(wg::guarantee<matmul>);

int main() {
  hana::for_each(wg::targets, [](auto architecture) {
    std::printf("sm_%d: tiles of %d, %d bytes\n", architecture.compute_capability, tile_of[architecture].value,
                matmul::on_sm<decltype(architecture)>::dynamic_shared_memory);
  });
}
