// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the alignment of an array is a power of two, and at least that of its elements
// facts: array_alignment_guard<Name=a, Alignment=4, AlignmentNeeded=8>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::shared_array<a, double, 1, 8>>;
#else
using layout = wg::shared_layout<wg::shared_array<a, double, 1, 4>>;
#endif
static_assert(layout::bytes > 0);
