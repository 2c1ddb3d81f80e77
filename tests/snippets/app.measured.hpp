// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// A measured header in miniature, for hana_kernels.cpp.
#pragma once
#include "../measured/kernels.hpp"
