// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the shared-memory layout has no array of this name
// facts: unknown_array_guard<Layout=shared_layout<shared_array<a, float, 4, 32>>, Name=b>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
struct b;
using layout = wg::shared_layout<wg::shared_array<a, float, 4, 32>>;
#ifdef WARPGUARD_TWIN
float* at(void* base) { return layout::get<a>(base); }
#else
float* at(void* base) { return layout::get<b>(base); }
#endif
