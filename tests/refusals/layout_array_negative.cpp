// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: an array of a shared-memory layout has at least one element
// facts: array_size_guard<Name=a, Count=-4>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::shared_array<a, float, 4>>;
#else
using layout = wg::shared_layout<wg::shared_array<a, float, -4>>;
#endif
static_assert(layout::bytes > 0);
