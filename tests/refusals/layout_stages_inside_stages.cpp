// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: there is no staged<> inside a staged<>
// facts: nested_stages_guard<Part=staged<2, shared_array<b, char, 1, 32>, staged<2, shared_array<a, char, 1, 32>>>>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
#ifdef WARPGUARD_TWIN
using layout =
    wg::shared_layout<wg::staged<2, wg::shared_array<b, char, 1, 32>>, wg::staged<2, wg::shared_array<a, char, 1, 32>>>;
#else
using layout =
    wg::shared_layout<wg::staged<2, wg::shared_array<b, char, 1, 32>, wg::staged<2, wg::shared_array<a, char, 1, 32>>>>;
#endif
static_assert(layout::bytes > 0);
