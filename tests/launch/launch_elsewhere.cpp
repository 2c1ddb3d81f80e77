// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#undef WARPGUARD_TARGETS
#define WARPGUARD_TARGETS 700

#include "launch_elsewhere.hpp"

void everywhere(int, float) {}

cudaError_t launch_elsewhere() { return warpguard::launch<everywhere_contract>(everywhere, dim3(1), nullptr, 1, 1.0f); }
