// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// edit: warpguard/hardware/table.hpp &sm_20,( *)&sm_21 -> &sm_21, &sm_20
// error: warpguard: a row of the architecture table contradicts itself or is out of order [table]

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

static_assert(wg::sm_20.warp_size == 32);
