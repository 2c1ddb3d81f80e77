// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: largest_tile needs tiles to choose from

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
template <int Tile>
using tile_of = wg::shared_layout<wg::shared_array<a, float[Tile], Tile>>;
#ifdef WARPGUARD_TWIN
static_assert(wg::largest_tile<wg::sm<75>, tile_of, 2, 16> == 16);
#else
static_assert(wg::largest_tile<wg::sm<75>, tile_of, 2> >= 0);
#endif
