// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// edit: warpguard/hardware/table.hpp sm_90({| *{) *90, *32, *1024, *64, -> sm_90{90, 1024, 32, 64,
// error: warpguard: a row of the architecture table contradicts itself or is out of order [table]

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

static_assert(wg::sm_10.warp_size == 32);
