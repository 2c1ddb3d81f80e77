// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a shared-memory layout consists of shared_array, staged, overlay and together
// facts: layout_part_guard<Part=int>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::shared_array<a, float, 1>>;
#else
using layout = wg::shared_layout<wg::shared_array<a, float, 1>, int>;
#endif
static_assert(layout::bytes > 0);
