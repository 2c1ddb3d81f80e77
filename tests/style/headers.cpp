// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What clang-tidy looks at: the headers that files with kernels include.

#include <warpguard/contract.hpp>
#include <warpguard/core.hpp>
