// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: no architecture has blocks of so much shared memory
// facts: layout_size_guard<Layout=shared_layout<staged<2147483647, shared_array<a, char, 4096, 32>>>,
//    BytesWanted=8796093018112, BytesAllowed=232448>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct a;
#ifdef WARPGUARD_TWIN
using layout = wg::shared_layout<wg::staged<56, wg::shared_array<a, char, 4096, 32>>>;
#else
using layout = wg::shared_layout<wg::staged<2147483647, wg::shared_array<a, char, 4096, 32>>>;
#endif
static_assert(layout::bytes > 0);
