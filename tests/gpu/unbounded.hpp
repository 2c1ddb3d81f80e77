// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Included before an example, it leaves of the contract's launch bounds only the threads: what the kernel would be if
/// ptxas had not been told how many blocks are to be resident.

#pragma once

#include <warpguard/contract/guarantee.hpp>

#undef WARPGUARD_LAUNCH_BOUNDS
#define WARPGUARD_LAUNCH_BOUNDS(...) __launch_bounds__(::warpguard::detail::bounds<__VA_ARGS__>::launch_threads)
