// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: not even the smallest tile leaves room for these blocks
// facts: tile_guard<Architecture=sm<75>, BlocksWanted=3, SmallestBytes=32768, BytesAllowed=21760>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
#ifdef WARPGUARD_TWIN
inline constexpr int blocks = 2;
#else
inline constexpr int blocks = 3;
#endif
template <int Tile>
using tiles_of = wg::shared_layout<wg::shared_array<a, float[Tile], Tile>, wg::shared_array<b, float[Tile], Tile>>;
static_assert(wg::largest_tile<wg::sm<75>, tiles_of, blocks, 64, 80, 96> != 1);
