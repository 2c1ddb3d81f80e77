// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Included before an example, this header redefines WARPGUARD_LAUNCH_BOUNDS so that it sets only the threads. ptxas
/// then compiles the kernel without a minimum number of resident blocks.

#pragma once

#include <warpguard/contract/guarantee.hpp>

#undef WARPGUARD_LAUNCH_BOUNDS
#define WARPGUARD_LAUNCH_BOUNDS(...) __launch_bounds__(::warpguard::detail::bounds<__VA_ARGS__>::launch_threads)
