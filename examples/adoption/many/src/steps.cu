// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "map.cuh"

OPERATION(positive_part, x > 0 ? x : 0)
OPERATION(sign_of, x > 0 ? 1 : x < 0 ? -1 : 0)
OPERATION(clamped, x<0 ? 0 : x> 100 ? 100 : x)
OPERATION(hat, x < 0 ? x + 1 : 1 - x)
OPERATION(leaky, x > 0 ? x : x / 8)
