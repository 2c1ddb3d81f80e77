// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: staged<> takes one stage or more
// facts: stages_guard<Stages=0>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::staged<1, wg::shared_array<a, float, 1>>>;
#else
using layout = wg::shared_layout<wg::staged<0, wg::shared_array<a, float, 1>>>;
#endif
static_assert(layout::bytes > 0);
