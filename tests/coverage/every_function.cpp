// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiled with -fkeep-inline-functions, so that gcov knows every function of the headers, also those that only
/// constant expressions call. A line of such a function counts as not run.

#include <warpguard/answers.hpp>
#include <warpguard/contract.hpp>
#include <warpguard/core.hpp>
#include <warpguard/products.hpp>
