// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a shared-memory layout has two arrays of one name
// facts: duplicate_array_guard<Layout=shared_layout<shared_array<a, float, 4, 16>, overlay<shared_array<b, int, 4, 16>,
//    shared_array<a, char, 8, 32>>>, Name=a>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
struct c;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::shared_array<a, float, 4, 16>,
                                 wg::overlay<wg::shared_array<b, int, 4, 16>, wg::shared_array<c, char, 8, 32>>>;
#else
using layout = wg::shared_layout<wg::shared_array<a, float, 4, 16>,
                                 wg::overlay<wg::shared_array<b, int, 4, 16>, wg::shared_array<a, char, 8, 32>>>;
#endif
static_assert(layout::bytes > 0);
