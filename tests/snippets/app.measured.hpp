// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// A measured header in miniature, for hana_kernels.cpp and measured_instances.cpp.
#pragma once
#include "../measured/kernels.hpp"
