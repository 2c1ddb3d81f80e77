// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "map.cuh"

OPERATION(legendre_2, (3 * x * x - 1) / 2)
OPERATION(legendre_3, (5 * x * x - 3) * x / 2)
OPERATION(chebyshev_3, (4 * x * x - 3) * x)
OPERATION(chebyshev_4, (8 * x * x - 8) * x * x + 1)
OPERATION(hermite_3, (8 * x * x - 12) * x)
