// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "map.cuh"

OPERATION(twice, x + x)
OPERATION(square, x* x)
OPERATION(cube, x* x* x)
OPERATION(negative, -x)
OPERATION(successor, x + 1)
